/**
 * The form. What the build has drawn of it stands at once; its code comes after what the first look needs, and takes it over as it was
 * drawn before it shows what the request has become meanwhile.
 */
import { effect, signal } from "@preact/signals";
import { Component } from "preact";
import { messages } from "../messages.ts";
import { type Page, PageContext } from "../page.ts";
import { keepsDrawn, Waits } from "./deferred.tsx";
import { Failed, lazy } from "./lazy.tsx";

export const planForm = lazy(async () => (await import("../screens/plan_form.tsx")).PlanForm);
const kIsBuild = typeof document === "undefined";
if (!kIsBuild) planForm.load();

export class Inputs extends Component<object> {
  static override contextType = PageContext;
  declare context: Page;
  #stop = () => {};
  #drawn = keepsDrawn();
  /** As it was when the build drew it. */
  #first: Page | undefined;

  constructor(props: object, page: Page) {
    super(props, page);
    const { state, controller } = page;
    if (this.#drawn)
      this.#first = {
        state: { ...state, request: signal(state.initial.preset), errors: signal([]) },
        controller,
        isDrawn: true,
      };
    if (kIsBuild) return;
    let isMade = false;
    this.#stop = effect(() => {
      const isKnown = planForm.view.value !== undefined || planForm.failed.value;
      if (isMade && isKnown) this.forceUpdate();
    });
    isMade = true;
  }

  override componentDidMount(): void {
    if (this.#first === undefined) return;
    this.#first = undefined;
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    this.#stop();
  }

  override render() {
    const Form = planForm.view.peek();
    if (Form !== undefined)
      return (
        <PageContext.Provider value={this.#first ?? this.context}>
          <Form />
        </PageContext.Provider>
      );
    if (planForm.failed.peek()) return <Failed again={planForm.load} />;
    if (this.#drawn) throw new Waits();
    return <p class="inputs note">{messages.loadingScreen}</p>;
  }
}
