/** How the page looks and speaks: kept in this browser, if it keeps anything. */
import { signal } from "@preact/signals";
import { currency, kUsd } from "./currency.ts";
import { kLanguages, type Language, speak } from "./language.ts";
import { currencyIn } from "./route.ts";

export type Theme = "system" | "light" | "dark";
const kThemes: readonly Theme[] = ["system", "light", "dark"];

export const theme = signal<Theme>("system");

export function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(`podwright ${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** True where the browser has kept it. */
export function store(key: string, value: string): boolean {
  try {
    localStorage.setItem(`podwright ${key}`, value);
    return true;
  } catch {
    return false;
  }
}

function show(next: Theme): void {
  theme.value = next;
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}

export function chooseTheme(next: Theme): void {
  store("theme", next);
  show(next);
}

export async function chooseLanguage(next: Language): Promise<void> {
  store("language", next);
  await speak(next);
}

export async function chooseCurrency(id: string): Promise<void> {
  store("currency", id);
  await showCurrency(id);
}

/** Money is shown so from now on; the next visit asks the choice of this browser again. */
async function showCurrency(id: string): Promise<void> {
  if (id === currency.peek().id) return;
  const { showIn } = await import("./money.ts");
  showIn(id);
}

/** The currency that an address asks for; where it asks for none, the one on show, which at first is what was chosen before. */
export async function applyCurrency(hash: string, otherwise = stored("currency") ?? kUsd.id): Promise<void> {
  await showCurrency(currencyIn(hash) ?? otherwise).catch(() => undefined);
}

/** The colours that were chosen before; without a choice those of the system. */
export function applyTheme(): void {
  const chosen = kThemes.find((name) => name === stored("theme"));
  if (chosen !== undefined) show(chosen);
}

/** The language that was chosen before; without a choice that of the browser. */
export async function applyLanguage(): Promise<void> {
  const wanted = stored("language") ?? navigator.language.slice(0, 2);
  const language = kLanguages.find(({ id }) => id === wanted);
  if (language !== undefined) await speak(language.id).catch(() => undefined);
}
