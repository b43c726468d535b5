// wasm-split parts functions whole, and half of what the first answer runs through are branches that it never takes.
// Here each such branch becomes a function of its own, which the split then puts into the second file.
//
// Works on the text that wasm-dis writes. Which branches run is measured: a copy of the module notes in a global of each
// run of statements that it came there. What such a run reads is handed to its function as arguments; what it leaves
// behind comes back as the result or in globals.

import { alikeTogether } from "./order_functions.mjs";

/** A function's text as nested lists: [word, attributes and operands...]. */
function parsed(text) {
  const stack = [[]];
  for (const [token] of text.matchAll(/[()]|[^\s()]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const done = stack.pop();
      stack.at(-1).push(done);
    } else stack.at(-1).push(token);
  }
  return stack[0][0];
}

function printed(node) {
  const lines = [];
  (function print(one) {
    lines.push(`(${one.filter((part) => typeof part === "string").join(" ")}`);
    for (const part of one) if (typeof part !== "string") print(part);
    lines.push(")");
  })(node);
  return lines.join("\n");
}

const kNotes = new Set(["type", "param", "result", "local"]);
const operands = (node) => node.filter((part) => typeof part !== "string" && !kNotes.has(part[0]));
const resultOf = (node) => node.find((part) => part[0] === "result")?.[1];
const labelOf = (node) => (typeof node[1] === "string" && node[1].startsWith("$") ? node[1] : undefined);
const kLists = new Set(["func", "block", "loop"]);
const kLeaves = new Set(["br", "br_table", "return", "unreachable"]);
const kMoves = new Set([...kLeaves, "br_if", "block", "loop", "if"]);

/** Calls `visit` for a node and all within it, in the order in which they are written. */
function walk(node, visit) {
  visit(node);
  for (const part of operands(node)) walk(part, visit);
}

function canMove(node) {
  let can = false;
  walk(node, ([word]) => {
    can ||= kMoves.has(word);
  });
  return can;
}

/**
 * The lists of statements of a function, each with the places of its runs: what one statement of a run does, all do.
 * An arm of an `if` is a list too; `hold` is the node whose operands the statements are.
 */
function listsOf(func) {
  const lists = [];
  const arms = new Set([func]);
  walk(func, (node) => {
    if (node[0] === "if") {
      const result = node.filter((part) => part[0] === "result");
      const condition = node.length - operands(node).length;
      for (let at = condition + 1; at < node.length; at += 1) {
        if (node[at][0] !== "block" || labelOf(node[at]) !== undefined) node[at] = ["block", ...result, node[at]];
        arms.add(node[at]);
      }
    }
    const from = node.length - operands(node).length;
    if (!kLists.has(node[0]) || from === node.length) return;
    const starts = arms.has(node) ? [from] : [];
    for (let at = from; at + 1 < node.length; at += 1) if (canMove(node[at])) starts.push(at + 1);
    lists.push({ hold: node, starts, to: node.length - (resultOf(node) === undefined ? 0 : 1) });
  });
  return lists;
}

/** The functions of a module's text, and what stands around them. */
function functionsOf(text) {
  const begin = text.indexOf("\n (func $") + 1;
  const end = text.lastIndexOf("\n)");
  const functions = text.slice(begin, end).split(/\n(?= \(func \$)/);
  return { head: text.slice(0, begin), functions, tail: text.slice(end) };
}

/** The module that notes where it comes: global `b<function>_<list>_<start>` becomes 1. */
export function withNotes(text) {
  const { head, functions, tail } = functionsOf(text);
  const globals = [];
  const bodies = functions.map((body, index) => {
    const func = parsed(body);
    listsOf(func).forEach(({ hold, starts }, list) => {
      for (const at of starts.toReversed()) {
        const name = `b${index}_${list}_${at}`;
        globals.push(name);
        hold.splice(at, 0, ["global.set", `$${name}`, ["i32.const", "1"]]);
      }
    });
    return printed(func);
  });
  const declared = globals.map((name) => `(global $${name} (mut i32) (i32.const 0))\n(export "${name}" (global $${name}))\n`);
  return `${head}${declared.join("")}${bodies.join("\n")}${tail}`;
}

/** What is read later, as bits: backwards through a node, from what is read after it. `targets`: at each label. */
class Liveness {
  after = new Map();
  constructor(bits, targets = new Map()) {
    this.bits = bits;
    this.targets = targets;
  }

  before(node, after) {
    const [word, first] = node;
    switch (word) {
      case "local.get":
        return after | this.bits.get(first);
      case "local.set":
      case "local.tee":
        return this.before(operands(node)[0], after & ~this.bits.get(first));
      case "br":
        return this.through(node, this.targets.get(first) ?? 0n);
      case "br_if":
        return this.through(node, after | (this.targets.get(first) ?? 0n));
      case "br_table": {
        const labels = node.filter((part) => typeof part === "string").slice(1);
        return this.through(node, labels.reduce((all, label) => all | (this.targets.get(label) ?? 0n), 0n));
      }
      case "return":
      case "unreachable":
        return this.through(node, 0n);
      case "if": {
        const [condition, yes, no] = operands(node);
        return this.before(condition, this.before(yes, after) | (no ? this.before(no, after) : after));
      }
      case "block":
        this.targets.set(first, after);
        return this.through(node, after);
      case "loop":
        return this.loop(node, after);
      default:
        return this.through(node, after);
    }
  }

  loop(node, after) {
    const label = labelOf(node);
    for (let known = 0n; ; ) {
      this.targets.set(label, known);
      const found = this.through(node, after);
      if (found === known || label === undefined) return found;
      known = found;
    }
  }

  through(node, after) {
    return operands(node).reduceRight((live, part) => {
      this.after.set(part, live);
      return this.before(part, live);
    }, after);
  }
}

const lebBytes = (value) => Math.ceil((BigInt.asUintN(64, value < 0n ? ~value : value).toString(2).length + 1) / 7);

/** About how many bytes the code of a node has. */
function bytesOf(node) {
  let bytes = 0;
  walk(node, ([word, first]) => {
    if (word === "i32.const" || word === "i64.const") bytes += 1 + lebBytes(BigInt(first));
    else if (word === "f64.const") bytes += 9;
    else if (/load|store|^call|^block|^loop|^if/.test(word)) bytes += 3;
    else if (/^(local|global|br)/.test(word)) bytes += 2;
    else bytes += 1;
  });
  return bytes;
}

const kTypes = ["i32", "i64", "f32", "f64"];
const kZero = { i32: "i32.const", i64: "i64.const", f32: "f32.const", f64: "f64.const" };
/** What a placeholder and its place in the table cost, compressed, as bytes of code. */
const kCallBytes = 16;

/** One function with its locals, from which runs of statements are taken out. */
class Function {
  constructor(func, shared) {
    this.func = func;
    this.shared = shared;
    this.types = new Map(func.filter(([word]) => word === "param" || word === "local").map(([, name, type]) => [name, type]));
    this.names = [...this.types.keys()];
    this.bits = new Map(this.names.map((name, i) => [name, 1n << BigInt(i)]));
    this.result = resultOf(func);
    this.live = new Liveness(this.bits);
    this.live.through(func, 0n);
    // Labels that carry a value are no exits.
    this.valued = new Set();
    walk(func, (node) => {
      if (node[0] === "block" && resultOf(node) !== undefined) this.valued.add(labelOf(node));
    });
  }

  locals(set) {
    return this.names
      .filter((name) => set & this.bits.get(name))
      .sort((a, b) => kTypes.indexOf(this.types.get(a)) - kTypes.indexOf(this.types.get(b)));
  }

  /** Where a run goes when it is done, by label; "next" behind itself, "return" out of the function. */
  exitsOf(run, endLabel) {
    const inner = new Set();
    const exits = new Set();
    const leave = (label) => {
      if (!inner.has(label)) exits.add(label === endLabel ? "next" : label);
    };
    for (const statement of run)
      walk(statement, (node) => {
        const [word, ...rest] = node;
        if ((word === "block" || word === "loop") && labelOf(node) !== undefined) inner.add(labelOf(node));
        if (word === "br" || word === "br_if") leave(rest[0]);
        if (word === "br_table") rest.filter((part) => typeof part === "string").forEach(leave);
        if (word === "return") exits.add("return");
      });
    if (!kLeaves.has(run.at(-1)[0])) exits.add("next");
    return [...exits];
  }

  /** The call that stands for a run of statements, and the function that it calls; undefined where it does not pay. */
  outlined(run, endLabel) {
    const exits = this.exitsOf(run, endLabel);
    if (exits.some((label) => this.valued.has(label))) return undefined;
    const after = this.live.after.get(run.at(-1));
    const liveAt = (exit) => (exit === "next" ? after : exit === "return" ? 0n : this.live.targets.get(exit));
    let sets = 0n;
    let used = 0n;
    for (const statement of run)
      walk(statement, ([word, name]) => {
        if (word.startsWith("local.")) used |= this.bits.get(name);
        if (word === "local.set" || word === "local.tee") sets |= this.bits.get(name);
      });
    const outs = this.locals(sets & exits.reduce((all, exit) => all | liveAt(exit), 0n));
    const outBits = outs.reduce((all, name) => all | this.bits.get(name), 0n);
    const inside = new Liveness(
      this.bits,
      new Map([...exits.filter((exit) => exit !== "next" && exit !== "return").map((exit) => [exit, outBits]), [endLabel, outBits]]),
    );
    const ins = this.locals(inside.through(["block", ...run], exits.includes("next") ? outBits : 0n) & used);
    const returned = exits.includes("return") ? this.result : undefined;
    const plain = exits.length === 1 && exits[0] === "return";
    const cost = 2 * ins.length + 4 * outs.length + (exits.length > 1 ? 4 + 3 * exits.length : 0) + kCallBytes;
    if (run.reduce((sum, statement) => sum + bytesOf(statement), 0) < cost) return undefined;
    const body = plain ? run : this.withExits(run, exits, outs, endLabel, returned);
    const result = plain ? returned : exits.length > 1 ? "i32" : this.types.get(outs[0]);
    const name = this.shared.add(this.bodyOf(body, ins, used, result, plain));
    const call = ["call", name, ...ins.map((local) => ["local.get", local])];
    return plain ? (returned === undefined ? [call, ["return"]] : [["return", call]]) : this.callSite(call, exits, outs, returned);
  }

  /** The run with its exits: values for the caller go through globals, the exit's number is the result. */
  withExits(run, exits, outs, endLabel, returned) {
    let blocks = run.map((statement) => this.withReturns(statement, returned));
    const isNumbered = exits.length > 1;
    const order = exits.filter((exit) => exit !== "next");
    const nextAt = order.length;
    const number = (value) => (isNumbered ? [["local.set", "$exit", ["i32.const", String(value)]]] : []);
    if (exits.includes("next")) {
      if (endLabel !== undefined) blocks = [["block", endLabel, ...blocks]];
      blocks = [...blocks, ...number(nextAt), ["br", "$out"]];
    }
    order.forEach((exit, at) => {
      blocks = [["block", exit === "return" ? "$left" : exit, ...blocks], ...number(at), ["br", "$out"]];
    });
    const body = exits.length === 0 ? [...blocks] : [["block", "$out", ...blocks]];
    const last = isNumbered ? undefined : outs[0];
    outs.forEach((local, i) => {
      if (local !== last) body.push(["global.set", this.shared.global(this.types.get(local), i), ["local.get", local]]);
    });
    if (last !== undefined) body.push(["local.get", last]);
    if (isNumbered) body.push(["local.get", "$exit"]);
    return body;
  }

  withReturns(node, returned) {
    if (typeof node === "string") return node;
    if (node[0] !== "return") return node.map((part) => this.withReturns(part, returned));
    const value = operands(node).map((part) => this.withReturns(part, returned));
    return ["block", ...value.map((part) => ["global.set", this.shared.global(returned, "r"), part]), ["br", "$left"]];
  }

  callSite(call, exits, outs, returned) {
    const isNumbered = exits.length > 1;
    const take = outs.map((local, i) => ["local.set", local, ["global.get", this.shared.global(this.types.get(local), i)]]);
    const left = ["return", ...(returned === undefined ? [] : [["global.get", this.shared.global(returned, "r")]])];
    if (exits.length === 0) return [call, ["unreachable"]];
    if (!isNumbered) {
      const first = outs.length > 0 ? ["local.set", outs[0], call] : call;
      const end = exits[0] === "next" ? [] : [exits[0] === "return" ? left : ["br", exits[0]]];
      return [first, ...take.slice(1), ...end];
    }
    const order = exits.filter((exit) => exit !== "next");
    const number = this.shared.global("i32", "exit");
    const jump = (exit, condition) =>
      exit === "return" ? ["if", condition, ["block", left]] : ["br_if", exit, condition];
    return [
      ["global.set", number, call],
      ...take,
      ...order.map((exit, at) => {
        const isLast = at === order.length - 1 && !exits.includes("next");
        if (isLast) return exit === "return" ? left : ["br", exit];
        return jump(exit, ["i32.eq", ["global.get", number], ["i32.const", String(at)]]);
      }),
    ];
  }

  bodyOf(body, ins, used, result, plain) {
    const others = this.locals(used).filter((local) => !ins.includes(local));
    const declared = [
      ...ins.map((local) => ["param", local, this.types.get(local)]),
      ...(result === undefined ? [] : [["result", result]]),
      ...others.map((local) => ["local", local, this.types.get(local)]),
      ...(plain ? [] : [["local", "$exit", "i32"]]),
    ];
    return [...declared, ...body, ...(plain && result !== undefined ? [["unreachable"]] : [])];
  }
}

/** Functions made here, the same text once, and the globals that carry their values. */
class Shared {
  bodies = new Map();
  globals = new Map();

  add(parts) {
    const names = new Map();
    const renamed = (part) => {
      if (typeof part !== "string") return part[0] === "call" || part[0] === "global.get" || part[0] === "global.set" || part[0] === "type" ? [part[0], part[1], ...part.slice(2).map(renamed)] : part.map(renamed);
      if (!part.startsWith("$")) return part;
      if (!names.has(part)) names.set(part, `$${names.size}`);
      return names.get(part);
    };
    const text = parts.map((part) => printed(renamed(part))).join("\n");
    if (!this.bodies.has(text)) this.bodies.set(text, `$apart${this.bodies.size}`);
    return this.bodies.get(text);
  }

  global(type, place) {
    const name = `$${type}_${place}`;
    this.globals.set(name, `(global ${name} (mut ${type}) (${kZero[type]} 0))\n`);
    return name;
  }

  get functions() {
    return [...this.bodies].map(([text, name]) => `(func ${name}\n${text}\n)`);
  }
}

/** The text of a function whose runs that never came about, by `ran`, are calls. */
function withCalls(body, ran, shared) {
  const func = parsed(body);
  const lists = listsOf(func);
  const one = new Function(func, shared);
  const gone = new Set();
  lists.forEach(({ hold, starts, to }, list) => {
    if (gone.has(hold)) return;
    const isCold = starts.map((at) => !ran.has(`${list}_${at}`));
    for (let last = to, k = starts.length - 1; k >= 0; k -= 1) {
      const begin = starts[k];
      if (!isCold[k]) last = begin;
      if (!isCold[k] || isCold[k - 1] || begin >= last) continue;
      const endLabel = last === hold.length && hold[0] === "block" ? labelOf(hold) : undefined;
      const run = hold.slice(begin, last);
      const calls = one.outlined(run, endLabel);
      if (calls === undefined) continue;
      for (const statement of run) walk(statement, (node) => gone.add(node));
      hold.splice(begin, last - begin, ...calls);
    }
  });
  return printed(func);
}

/**
 * The module in which statements that did not run are functions of their own, and functions that ran come first.
 * `noted`: the names of withNotes() that were noted.
 */
export function withBranchesApart(text, noted) {
  const { head, functions, tail } = functionsOf(text);
  const ran = new Map();
  for (const name of noted) {
    const [, index, place] = name.match(/^b(\d+)_(.*)$/);
    const places = ran.get(Number(index)) ?? new Set();
    ran.set(Number(index), places.add(place));
  }
  const shared = new Shared();
  const first = functions.flatMap((body, index) => (ran.has(index) ? [withCalls(body, ran.get(index), shared)] : []));
  const rest = functions.filter((_, index) => !ran.has(index));
  const bodies = [...alikeTogether(first), ...rest, ...shared.functions];
  return `${head}${[...shared.globals.values()].join("")}${bodies.join("\n")}${tail}`;
}
