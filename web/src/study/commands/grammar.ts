/** What the tools of the labs understand: their subcommands and options, and how a command line is read with them. */

/**
 * A tool or one of its subcommands. An option is its names, and after them what it takes:
 * `=` a value, `=?` a value only when attached by `=`; then
 * `^` values are the same in capitals and small letters, `,` a list in any order, `&` JSON, `#` columns of a table,
 * `%` a table's format, `~` harmless: it never matters, or `~word` with this value.
 */
export interface Tool {
  options?: readonly string[];
  /** Words of the form key=value in any order, as options. */
  pairs?: readonly string[];
  commands?: Readonly<Record<string, Tool>>;
  /** Other words for the first one that follows; what stands for nothing is left out. */
  words?: Readonly<Record<string, string>>;
  /** Words are the same in capitals and small letters. */
  fold?: boolean;
  /** What follows so many words is the command of another program. */
  stop?: number;
  /** Letters after one dash are options of their own, or the value of the first. */
  letters?: boolean;
  /**
   * What it prints of an option, a subcommand, or a first word that it does not know: `{word}`, `{letter}` without its dash,
   * `{option}` and `{flag}` as C and Go programs say it.
   */
  unknown?: readonly string[];
  unknownCommand?: readonly string[];
  unknownWord?: readonly string[];
}
export type Tools = Readonly<Record<string, Tool>>;

/** In the patterns of near misses: a place where anything may follow. */
export const kWhatever = "...";

export interface Option {
  name: string;
  names: readonly string[];
  takes: "nothing" | "value" | "attached";
  fold: boolean;
  list: boolean;
  json: boolean;
  columns: boolean;
  format: boolean;
  /** True: whatever its value. */
  harmless?: true | string;
}

export interface Command {
  tool: string;
  /** Subcommands. */
  path: readonly string[];
  /** Values by the option's last name; a flag has none. */
  options: ReadonlyMap<string, readonly string[]>;
  places: readonly string[];
  /** Words of another program, and how it reads them where it is known. */
  rest: readonly string[];
  inner?: { command: Command; known: ReadonlyMap<string, Option> };
}

export type Reading =
  | { command: Command; known: ReadonlyMap<string, Option> }
  | { fault: "tool" | "option" | "command" | "value"; word: string; output: readonly string[] };

const kTakes = /^=(\??)([\^,&#%]*)(~.*)?$|^(~.*)$/;

export function optionOf(text: string): Option {
  const parts = text.split(" ");
  const names = parts.filter((part) => !kTakes.test(part));
  const [, attached, signs = "", harmless = "", flag = ""] = kTakes.exec(parts.at(-1) ?? "") ?? [];
  const mark = harmless || flag;
  return {
    name: names.at(-1) ?? text,
    names,
    takes: attached === undefined ? "nothing" : attached === "?" ? "attached" : "value",
    fold: signs.includes("^"),
    list: signs.includes(","),
    json: signs.includes("&"),
    columns: signs.includes("#"),
    format: signs.includes("%"),
    ...(mark === "" ? {} : { harmless: mark === "~" ? (true as const) : mark.slice(1) }),
  };
}

/** A tool with what its callers know too: an option may come before a subcommand or after it. */
interface Level {
  tool: Tool;
  options: Map<string, Option>;
  pairs: Map<string, Option>;
}

function withOptions(to: Map<string, Option>, texts: readonly string[] = []): Map<string, Option> {
  const all = new Map(to);
  for (const text of texts) {
    const option = optionOf(text);
    for (const name of option.names) all.set(name, option);
  }
  return all;
}

const levelOf = (tool: Tool, above?: Level): Level => ({
  tool: {
    letters: above?.tool.letters,
    fold: above?.tool.fold,
    unknown: above?.tool.unknown,
    unknownCommand: above?.tool.unknownCommand,
    ...tool,
  },
  options: withOptions(above?.options ?? new Map(), tool.options),
  pairs: withOptions(new Map(), tool.pairs),
});

class Fault extends Error {
  readonly fault: "option" | "command" | "value";
  readonly word: string;
  readonly output: readonly string[];

  constructor(fault: Fault["fault"], word: string, output: readonly string[]) {
    super(word);
    this.fault = fault;
    this.word = word;
    this.output = output;
  }
}

function filled(lines: readonly string[], word: string, path: readonly string[]): string[] {
  const letter = word.replace(/^-+/, "");
  const isLong = word.startsWith("--");
  const option = isLong ? `unrecognized option '${word}'` : `invalid option -- '${letter[0] ?? ""}'`;
  const flag = isLong ? `unknown flag: ${word}` : `unknown shorthand flag: '${letter[0] ?? ""}' in ${word}`;
  return lines.map((line) =>
    line
      .replaceAll("{option}", option)
      .replaceAll("{flag}", flag)
      .replaceAll("{word}", word)
      .replaceAll("{letter}", letter)
      .replaceAll("{tool}", path[0] ?? "")
      .replaceAll("{path}", path.join(" ")),
  );
}

/** Reads the words after a tool's name. */
class CommandReader {
  private readonly path: string[] = [];
  private readonly options = new Map<string, string[]>();
  private readonly places: string[] = [];
  private rest: string[] = [];
  private readonly name: string;
  private readonly words: readonly string[];
  private level: Level;
  private at = 0;

  constructor(name: string, tool: Tool, words: readonly string[]) {
    this.name = name;
    this.words = words;
    this.level = levelOf(tool);
  }

  read(): Reading {
    for (; this.at < this.words.length; this.at += 1) {
      const word = this.words[this.at] ?? "";
      const isOption = word.startsWith("-") && word !== "-" && !/^-\d/.test(word);
      const { stop } = this.level.tool;
      const isOthers = stop !== undefined && this.places.length >= stop && (stop > 0 || !isOption);
      if (word === "--" || isOthers) {
        this.rest = this.words.slice(word === "--" ? this.at + 1 : this.at);
        break;
      }
      if (isOption) this.option(word);
      else this.place(word);
    }
    const { name: tool, path, options, places, rest } = this;
    const known = new Map([...this.level.options, ...this.level.pairs].map(([, option]) => [option.name, option]));
    return { command: { tool, path, options, places, rest }, known };
  }

  private keep({ name, list }: Option, value?: string): void {
    const values = this.options.get(name) ?? [];
    if (value !== undefined) values.push(...(list ? value.split(",") : [value]));
    this.options.set(name, values);
  }

  /** The value of an option that is not attached to it. */
  private next(word: string): string {
    this.at += 1;
    const value = this.words[this.at];
    if (value === undefined) throw new Fault("value", word, this.says(word));
    return value;
  }

  private says(word: string): readonly string[] {
    return filled(this.level.tool.unknown ?? ["{tool}: {option}"], word, [this.name, ...this.path]);
  }

  private option(word: string): void {
    const [, name = word, value] = /^(-[^=]*)=([\s\S]*)$/.exec(word) ?? [];
    const option = this.level.options.get(name);
    if (option !== undefined) {
      if (option.takes === "value") this.keep(option, value ?? this.next(word));
      else this.keep(option, value);
      return;
    }
    if (this.level.tool.letters && !word.startsWith("--")) this.letters(word.slice(1));
    else throw new Fault("option", word, this.says(name));
  }

  private letters(letters: string): void {
    for (let i = 0; i < letters.length; i += 1) {
      const word = `-${letters[i]}`;
      const option = this.level.options.get(word);
      if (option === undefined) throw new Fault("option", word, this.says(word));
      if (option.takes === "value") {
        const value = letters.slice(i + 1).replace(/^=/, "");
        this.keep(option, value === "" ? this.next(word) : value);
        return;
      }
      this.keep(option);
    }
  }

  private place(given: string): void {
    if (given === kWhatever) {
      this.places.push(given);
      return;
    }
    const word = this.level.tool.fold ? given.toLowerCase() : given;
    const { commands } = this.level.tool;
    const inside = this.places.length === 0 ? commands?.[word] : undefined;
    if (inside !== undefined) {
      this.path.push(word);
      this.level = levelOf(inside, this.level);
      return;
    }
    if (commands !== undefined && this.places.length === 0) this.unknown(this.level.tool.unknownCommand, word);
    const [, key = "", value = ""] = /^([A-Za-z]+)=([\s\S]*)$/.exec(word) ?? [];
    const pair = this.level.pairs.get(key.toLowerCase());
    if (pair !== undefined) this.keep(pair, value);
    else if (this.places.length > 0) this.places.push(word);
    else this.first(word);
  }

  /** A kind and a name may be one word: pod/web. */
  private first(word: string): void {
    const { words, unknownWord } = this.level.tool;
    if (words === undefined) {
      this.places.push(word);
      return;
    }
    const [, kind = word, name] = /^([a-z.]+)[/=](.+)$/.exec(word) ?? [];
    const known = words[kind.toLowerCase()];
    if (known === undefined) {
      this.unknown(unknownWord, kind);
      this.places.push(word);
      return;
    }
    this.places.push(...[known, name ?? ""].filter((one) => one !== ""));
  }

  private unknown(says: readonly string[] | undefined, word: string): void {
    if (says !== undefined) throw new Fault("command", word, filled(says, word, [this.name, ...this.path]));
  }
}

/** Reads the words of one command: `sudo` before it changes nothing here, as do variables set for it. */
export function readCommand(tools: Tools, words: readonly string[]): Reading {
  const from = words.findIndex((word) => word !== "sudo" && !/^[A-Z_]+=/.test(word));
  const name = words[from] ?? words.at(-1) ?? "";
  const tool = tools[name];
  if (tool === undefined) return { fault: "tool", word: name, output: [`bash: ${name}: command not found`] };
  try {
    const reading = new CommandReader(name, tool, words.slice(from + 1)).read();
    if (!("command" in reading) || reading.command.rest.length === 0) return reading;
    const inner = readCommand(tools, reading.command.rest);
    return "command" in inner ? { ...reading, command: { ...reading.command, inner } } : reading;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.fault, word: error.word, output: error.output };
  }
}
