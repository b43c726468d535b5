/**
 * An equation with its names, or with the values in their places. It is a line of text that wraps where it is wider than
 * its place; short fractions, roots and powers in it are drawn as such, in MathML.
 */
import { type ComponentChildren, Fragment } from "preact";
import { type Expression, precedenceOf, readEquation, widthOf } from "../equation.ts";
import { calculable, grouped } from "../equation_units.ts";

/** What stands for a name; several texts for a name that takes a list, as in `sum(parts)`. */
export type Naming = (name: string) => string[];

interface EquationProps {
  text: string;
  naming: Naming;
  /** What the equation gives, in one or more ways of writing it. */
  left?: readonly string[] | undefined;
}

export function Equation({ text, naming, left = [] }: EquationProps) {
  const expression = readEquation(text);
  if (expression === undefined) return <code>{text}</code>;
  return (
    <p class="equation">
      {left.map((amount) => (
        <Fragment key={amount}>
          <span class="amount">{amount}</span>
          {" = "}
        </Fragment>
      ))}
      {partsOfSum(expression, naming) ?? inLine(expression, naming)}
    </p>
  );
}

/** A drawn part may be as wide as this many characters: it does not wrap, and fits on a phone. */
const kWidest = 24;

/** Parts of a fraction as large as the line. As text: MathML wants the word. */
const kFullSize: object = { displaystyle: "true" };

/** Holds a fraction, a root or a power: drawn where it is short enough. */
function isTall(expression: Expression): boolean {
  switch (expression.kind) {
    case "call":
      return expression.name === "sqrt" || expression.inputs.some(isTall);
    case "negative":
      return isTall(expression.inner);
    case "binary":
      return ["/", "^"].includes(expression.operator) || isTall(expression.left) || isTall(expression.right);
    default:
      return false;
  }
}

/** A part of the line. Around its signs the line may break, before a plus and after a bracket, but not inside a value. */
function inLine(expression: Expression, naming: Naming): ComponentChildren {
  if (isTall(expression) && widthOf(expression, naming) <= kWidest) {
    return (
      <math {...kFullSize}>
        <Drawn expression={expression} naming={naming} />
      </math>
    );
  }
  switch (expression.kind) {
    case "number":
      return numberText(expression.text);
    case "name":
      return listInLine(naming(expression.name), ", ");
    case "negative":
      return <>−{bracedInLine(expression.inner, 2, naming)}</>;
    case "call":
      return callInLine(expression, naming);
    case "binary":
      break;
  }
  const { operator, left, right } = expression;
  const own = precedenceOf(expression);
  if (operator === "^") {
    return (
      <>
        {bracedInLine(left, 5, naming)}
        <sup>{inLine(right, naming)}</sup>
      </>
    );
  }
  const binds = operator === "-" || operator === "/" ? own + 1 : own;
  return (
    <>
      {bracedInLine(left, own, naming)} {kSigns[operator]}
      {kNoBreak}
      {bracedInLine(right, binds, naming)}
    </>
  );
}

const kNoBreak = "\u00a0";
const kSigns = { "+": "+", "-": "−", "*": "×", "/": "÷" };

function bracedInLine(inner: Expression, above: number, naming: Naming): ComponentChildren {
  const line = inLine(inner, naming);
  return precedenceOf(inner) >= above ? line : <>({line})</>;
}

/** The parts of a sum one by one, where what stands for its list says them; a sum of nothing is 0. */
function partsOfSum(expression: Expression, naming: Naming): ComponentChildren {
  if (expression.kind !== "call" || expression.name !== "sum") return undefined;
  const [first] = expression.inputs;
  if (first?.kind !== "name") return undefined;
  const items = naming(first.name);
  if (items.length === 1 && items[0] === first.name) return undefined;
  return items.length === 0 ? "0" : listInLine(items, " + ");
}

function callInLine(expression: Expression & { kind: "call" }, naming: Naming): ComponentChildren {
  const parts = partsOfSum(expression, naming);
  if (parts !== undefined) return <>({parts})</>;
  const { name, inputs } = expression;
  const line = inputs.map((input, i) => (
    <Fragment key={i}>
      {i === 0 ? null : ", "}
      {inLine(input, naming)}
    </Fragment>
  ));
  if (name === "ceil") return <>⌈{line}⌉</>;
  if (name === "floor") return <>⌊{line}⌋</>;
  return (
    <>
      {name === "sqrt" ? "√" : name}({line})
    </>
  );
}

function listInLine(items: readonly string[], sign: string): ComponentChildren {
  return items.map((item, i) => (
    <Fragment key={i}>
      {i === 0 ? null : sign}
      {item.length > kWidest ? item : <span class="amount">{item}</span>}
    </Fragment>
  ));
}

/** Numbers of an equation's text that are longer are rounded. */
const kLongest = 9;

/** A number of the equation's text, with the digits grouped as everywhere. */
function numberText(text: string): string {
  if (/^\d+$/.test(text)) return grouped(text);
  return text.length > kLongest ? calculable(Number(text)) : text;
}

function Drawn({ expression, naming }: { expression: Expression; naming: Naming }) {
  const draw = (inner: Expression) => <Drawn expression={inner} naming={naming} />;
  switch (expression.kind) {
    case "number":
      return <mn>{numberText(expression.text)}</mn>;
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
      <mo>{kSigns[operator]}</mo>
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

function Call({ name, inputs, naming }: { name: string; inputs: Expression[]; naming: Naming }) {
  const [first] = inputs;
  const drawn = inputs.map((input, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <mo>,</mo>}
      <Drawn expression={input} naming={naming} />
    </Fragment>
  ));
  if (name === "sqrt") return <msqrt>{drawn}</msqrt>;
  const tall = inputs.some(isTall);
  if (name === "ceil") return <Fenced open="⌈" close="⌉" inner={drawn} tall={tall} />;
  if (name === "floor") return <Fenced open="⌊" close="⌋" inner={drawn} tall={tall} />;
  if (name === "sum" && first?.kind === "name") {
    const items = naming(first.name);
    if (items.length > 1) return <Fenced open="(" close=")" inner={<Listed items={items} sign="+" />} tall={false} />;
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
        <Fragment key={i}>
          {i === 0 ? null : <mo>{sign}</mo>}
          <mi mathvariant="normal">{item}</mi>
        </Fragment>
      ))}
    </mrow>
  );
}
