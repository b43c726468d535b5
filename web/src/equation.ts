/**
 * Reads the text of an equation (names, numbers, + - * / ^, parentheses, function calls) into a tree that a view can draw.
 * Nothing is evaluated here.
 */
export type Expression =
  | { kind: "number"; text: string }
  | { kind: "name"; name: string }
  | { kind: "negative"; inner: Expression }
  | { kind: "binary"; operator: "+" | "-" | "*" | "/" | "^"; left: Expression; right: Expression }
  | { kind: "call"; name: string; inputs: Expression[] };

const kToken = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/^(),]))/y;

type Token = { kind: "number" | "name" | "sign"; text: string };

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const source = text.trimEnd();
  kToken.lastIndex = 0;
  while (kToken.lastIndex < source.length) {
    const match = kToken.exec(source);
    if (match === null) return undefined;
    const [, number, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "sign", text: sign ?? "" });
  }
  return tokens;
}

const kPrecedence: Record<string, number> = { "+": 1, "-": 1, "*": 2, "/": 2, "^": 4 };

class Reader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression | undefined {
    const expression = this.#sum(1);
    return this.#at === this.#tokens.length ? expression : undefined;
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || token.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #sum(lowest: number): Expression | undefined {
    let left = this.#one();
    while (left !== undefined) {
      const operator = this.#tokens[this.#at]?.text ?? "";
      const precedence = this.#tokens[this.#at]?.kind === "sign" ? kPrecedence[operator] : undefined;
      if (precedence === undefined || precedence < lowest) return left;
      this.#at += 1;
      const right = this.#sum(operator === "^" ? precedence : precedence + 1);
      if (right === undefined) return undefined;
      left = { kind: "binary", operator: operator as "+", left, right };
    }
    return undefined;
  }

  #one(): Expression | undefined {
    if (this.#take("-")) {
      const inner = this.#sum(3);
      return inner && { kind: "negative", inner };
    }
    if (this.#take("(")) {
      const inner = this.#sum(1);
      return inner && this.#take(")") ? inner : undefined;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === "sign") return undefined;
    this.#at += 1;
    if (token.kind === "number") return { kind: "number", text: token.text };
    if (!this.#take("(")) return { kind: "name", name: token.text };
    const inputs: Expression[] = [];
    do {
      const input = this.#sum(1);
      if (input === undefined) return undefined;
      inputs.push(input);
    } while (this.#take(","));
    return this.#take(")") ? { kind: "call", name: token.text, inputs } : undefined;
  }
}

/** The tree of an equation; undefined where the text is not one, so that the view falls back to the text. */
export function readEquation(text: string): Expression | undefined {
  const tokens = tokenize(text);
  return tokens === undefined || tokens.length === 0 ? undefined : new Reader(tokens).whole();
}

/** Loosest operator first; decides where a drawn equation needs parentheses. */
export function precedenceOf(expression: Expression): number {
  if (expression.kind === "binary") return kPrecedence[expression.operator] ?? 0;
  return expression.kind === "negative" ? 1 : 5;
}

/** About how many characters wide an expression is when drawn, with the texts that stand for its names. */
export function widthOf(expression: Expression, naming: (name: string) => string[]): number {
  const of = (inner: Expression) => widthOf(inner, naming);
  switch (expression.kind) {
    case "number":
      return expression.text.length;
    case "name":
      return naming(expression.name).join(", ").length;
    case "negative":
      return 1 + of(expression.inner);
    case "call":
      return expression.inputs.reduce((sum, input) => sum + of(input) + 2, expression.name.length);
    case "binary":
      return expression.operator === "/"
        ? Math.max(of(expression.left), of(expression.right))
        : of(expression.left) + of(expression.right) + 3;
  }
}
