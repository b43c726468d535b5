/** What a screen keeps in its address after the question mark: `#/study/ledger?verdict=wrong`. */
import { useEffect, useRef, useState } from "preact/hooks";
import { replaceHash } from "../../pages.ts";

/** Browsers limit how often the address may change; typing is faster. */
const kSettleMs = 250;

const queryOf = (hash: string) => new URLSearchParams(hash.split("?")[1] ?? "");
const pathOf = (hash: string) => hash.split("?")[0] ?? "";

type Fields<Name extends string> = Record<Name, string>;

/** The fields of the address by their names, "" where one is absent, and what changes them. A link that is followed sets them anew. */
export function useAddressQuery<Name extends string>(
  names: readonly Name[],
): [Fields<Name>, (change: Partial<Fields<Name>>) => void] {
  const readFields = () => {
    const query = queryOf(location.hash);
    return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as Fields<Name>;
  };
  const [fields, setFields] = useState(readFields);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      clearTimeout(timer.current);
      setFields(readFields());
    };
    addEventListener("hashchange", follow);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("hashchange", follow);
    };
  }, []);
  const change = (some: Partial<Fields<Name>>) => {
    const next = { ...fields, ...some };
    setFields(next);
    clearTimeout(timer.current);
    const path = pathOf(location.hash);
    timer.current = setTimeout(() => {
      const query = new URLSearchParams(names.flatMap((name) => (next[name] === "" ? [] : [[name, next[name]]])));
      replaceHash(query.size === 0 ? path : `${path}?${query}`);
    }, kSettleMs);
  };
  return [fields, change];
}
