/** What the tabs of one browser tell each other of the study log, so that none shows what another has changed. Where the browser has no channel between tabs, a reload shows it. */

export interface TabChannel {
  tell(message: unknown): void;
  close(): void;
}

/** `onTold` gets what the others tell; what it gets may come from another version of this page. */
export function tabChannel(name: string, onTold: (message: unknown) => void): TabChannel {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => onTold(data);
  } catch {
    // An older browser, or one that refuses.
  }
  return {
    tell: (message) => channel?.postMessage(message),
    close() {
      channel?.close();
      channel = undefined;
    },
  };
}
