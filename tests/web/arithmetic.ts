/** Finds where the page's own code computes with numbers that are not its own, by the types of the compiler. */
import {
  type BinaryExpression,
  type CallExpression,
  type Identifier,
  type Node,
  type ParameterDeclaration,
  type PrefixUnaryExpression,
  type PropertyAccessExpression,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API, type Checker, TypeFlags } from "typescript/unstable/sync";

/** A place where a number is computed: `screens/form.tsx` and the source text of the expression. */
export interface Computed {
  file: string;
  text: string;
}

const kOperators = new Set([
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.SlashEqualsToken,
]);
/** Functions of d3-array that make a new number of many. `extent`, `min` and `max` pick one that is there. */
const kReductions = /^(sum|fsum|mean|median|mode|quantile|variance|deviation|cumsum|fcumsum|reduce|reduceRight)$/;
/** Lengths and places in texts and lists. */
const kCounts = new Set(["length", "index", "indexOf", "lastIndexOf", "findIndex", "search"]);

class Reader {
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  isNumber(node: Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    return type !== undefined && (type.flags & (TypeFlags.Number | TypeFlags.NumberLiteral)) !== 0;
  }

  /** True for numbers that are the page's own: constants, places in lists, lengths, positions in a drawing. */
  isOwn(node: Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    if (type !== undefined && (type.flags & TypeFlags.NumberLiteral) !== 0) return true;
    switch (node.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.PrefixUnaryExpression:
        return this.#allOwn(node);
      case SyntaxKind.BinaryExpression: {
        const { left, right } = node as BinaryExpression;
        return this.isOwn(left) && this.isOwn(right);
      }
      case SyntaxKind.PropertyAccessExpression:
        return kCounts.has((node as PropertyAccessExpression).name.getText());
      case SyntaxKind.CallExpression:
        return this.#isOwnCall(node as CallExpression);
      case SyntaxKind.Identifier:
        return this.#isIndex(node as Identifier);
      default:
        return false;
    }
  }

  #allOwn(node: Node): boolean {
    let own = true;
    node.forEachChild((child) => {
      own &&= this.isOwn(child);
    });
    return own;
  }

  /** What a scale of d3 gives is a position; rounding one's own numbers keeps them so. */
  #isOwnCall({ expression, arguments: given }: CallExpression): boolean {
    const callee = this.#checker.getTypeAtLocation(expression);
    if (callee !== undefined && /^Scale/.test(this.#checker.typeToString(callee))) return true;
    if (expression.kind !== SyntaxKind.PropertyAccessExpression) return false;
    const { expression: of, name } = expression as PropertyAccessExpression;
    if (kCounts.has(name.getText())) return true;
    return of.getText() === "Math" && given.every((one) => this.isOwn(one));
  }

  /** The second parameter of what `map` and its like are given. */
  #isIndex(node: Identifier): boolean {
    const [declaration] = this.#checker.getSymbolAtLocation(node)?.declarations ?? [];
    if (declaration === undefined) return false;
    const at = declaration.resolve();
    if (at?.kind !== SyntaxKind.Parameter) return false;
    const parameters = (at.parent as unknown as { parameters?: readonly ParameterDeclaration[] }).parameters ?? [];
    return parameters.indexOf(at as ParameterDeclaration) === 1;
  }
}

/** True where `node` itself computes with a number that is not the page's own. */
function computes(reader: Reader, node: Node): boolean {
  switch (node.kind) {
    case SyntaxKind.BinaryExpression: {
      const { left, right, operatorToken } = node as BinaryExpression;
      if (!kOperators.has(operatorToken.kind) || !(reader.isNumber(left) || reader.isNumber(right))) return false;
      const isText = operatorToken.kind === SyntaxKind.PlusToken && !reader.isNumber(node);
      return !isText && !(reader.isOwn(left) && reader.isOwn(right));
    }
    case SyntaxKind.PostfixUnaryExpression:
      return true;
    case SyntaxKind.PrefixUnaryExpression: {
      const { operator, operand } = node as PrefixUnaryExpression;
      return operator !== SyntaxKind.ExclamationToken && reader.isNumber(operand) && !reader.isOwn(operand);
    }
    case SyntaxKind.CallExpression: {
      const { expression, arguments: given } = node as CallExpression;
      const name = expression.getText().split(".").at(-1) ?? "";
      const isMath = expression.getText() === `Math.${name}` && !given.every((one) => reader.isOwn(one));
      return isMath || (kReductions.test(name) && reader.isNumber(node));
    }
    default:
      return false;
  }
}

/** Every expression below `node` that computes; of one inside another only the outer. */
function computedIn(reader: Reader, node: Node, found: (node: Node) => void): void {
  if (computes(reader, node)) found(node);
  else node.forEachChild((child) => computedIn(reader, child, found));
}

/** What the files below `folder` of a project compute. */
export function computed(project: string, folder: string): Computed[] {
  const api = new API({ cwd: folder });
  try {
    const [opened] = api.updateSnapshot({ openProjects: [project] }).getProjects();
    if (opened === undefined) throw new Error(`no project at ${project}`);
    const reader = new Reader(opened.checker);
    return opened.program.getSourceFileNames().flatMap((name) => {
      const source = name.startsWith(`${folder}/`) ? opened.program.getSourceFile(name) : undefined;
      const all: Computed[] = [];
      if (source !== undefined)
        computedIn(reader, source, (node) => {
          all.push({ file: name.slice(folder.length + 1), text: node.getText(source).replaceAll(/\s+/g, " ") });
        });
      return all;
    });
  } finally {
    api.close();
  }
}
