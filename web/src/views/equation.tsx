/** An equation as MathML: with its names, or with the values in their places. */
import type { ComponentChildren } from "preact";
import { type Expression, precedenceOf, readEquation } from "../equation.ts";

/** What stands for a name; several texts for a name that takes a list, as in `sum(parts)`. */
export type Naming = (name: string) => string[];

export function Equation({ text, naming, left }: { text: string; naming: Naming; left?: string }) {
  const expression = readEquation(text);
  if (expression === undefined) return <code>{text}</code>;
  return (
    <math display="block">
      {left === undefined ? null : (
        <>
          <mtext>{left}</mtext>
          <mo>=</mo>
        </>
      )}
      <Drawn expression={expression} naming={naming} />
    </math>
  );
}

function Drawn({ expression, naming }: { expression: Expression; naming: Naming }) {
  const draw = (inner: Expression) => <Drawn expression={inner} naming={naming} />;
  switch (expression.kind) {
    case "number":
      return <mn>{expression.text}</mn>;
    case "name":
      return <Listed items={naming(expression.name)} sign="," />;
    case "negative":
      return (
        <mrow>
          <mo>−</mo>
          <Grouped inner={expression.inner} above={2} naming={naming} />
        </mrow>
      );
    case "call":
      return <Call name={expression.name} inputs={expression.inputs} naming={naming} />;
    case "binary":
      break;
  }
  const { operator, left, right } = expression;
  if (operator === "/") {
    return (
      <mfrac>
        {draw(left)}
        {draw(right)}
      </mfrac>
    );
  }
  if (operator === "^") {
    return (
      <msup>
        <Grouped inner={left} above={5} naming={naming} />
        {draw(right)}
      </msup>
    );
  }
  const own = precedenceOf(expression);
  return (
    <mrow>
      <Grouped inner={left} above={own} naming={naming} />
      <mo>{operator === "*" ? "×" : operator === "-" ? "−" : "+"}</mo>
      <Grouped inner={right} above={operator === "-" ? own + 1 : own} naming={naming} />
    </mrow>
  );
}

/** In parentheses where the inner expression binds less tightly than its surroundings. A fraction needs none. */
function Grouped({ inner, above, naming }: { inner: Expression; above: number; naming: Naming }) {
  const drawn = <Drawn expression={inner} naming={naming} />;
  const isFraction = inner.kind === "binary" && inner.operator === "/" && above < 5;
  return isFraction || precedenceOf(inner) >= above ? (
    drawn
  ) : (
    <Fenced open="(" close=")" inner={drawn} tall={isTall(inner)} />
  );
}

interface FencedProps {
  open: string;
  close: string;
  inner: ComponentChildren;
  /** The fences grow with what they hold. */
  tall: boolean;
}

function Fenced({ open, close, inner, tall }: FencedProps) {
  // As text: MathML grows fences unless it reads "false", and an attribute that is plain false is left out.
  const growing: object = { stretchy: `${tall}` };
  return (
    <mrow>
      <mo {...growing}>{open}</mo>
      {inner}
      <mo {...growing}>{close}</mo>
    </mrow>
  );
}

/** Holds a fraction, or a power of one. */
function isTall(expression: Expression): boolean {
  if (expression.kind === "call") return expression.inputs.some(isTall);
  if (expression.kind === "negative") return isTall(expression.inner);
  if (expression.kind !== "binary") return false;
  return expression.operator === "/" || isTall(expression.left) || isTall(expression.right);
}

function Call({ name, inputs, naming }: { name: string; inputs: Expression[]; naming: Naming }) {
  const [first] = inputs;
  const drawn = inputs.map((input, i) => (
    <>
      {i === 0 ? null : <mo>,</mo>}
      <Drawn expression={input} naming={naming} />
    </>
  ));
  if (name === "sqrt") return <msqrt>{drawn}</msqrt>;
  const tall = inputs.some(isTall);
  if (name === "ceil") return <Fenced open="⌈" close="⌉" inner={drawn} tall={tall} />;
  if (name === "floor") return <Fenced open="⌊" close="⌋" inner={drawn} tall={tall} />;
  if (name === "sum" && first?.kind === "name") {
    const items = naming(first.name);
    if (items.length > 1) return <Listed items={items} sign="+" />;
  }
  return (
    <mrow>
      <mi>{name}</mi>
      <Fenced open="(" close=")" inner={drawn} tall={tall} />
    </mrow>
  );
}

/** As identifiers: text counts as space in MathML, so an operator between two of them would have no room beside it. */
function Listed({ items, sign }: { items: string[]; sign: string }) {
  return (
    <mrow>
      {items.map((item, i) => (
        <>
          {i === 0 ? null : <mo>{sign}</mo>}
          <mi mathvariant="normal">{item}</mi>
        </>
      ))}
    </mrow>
  );
}
