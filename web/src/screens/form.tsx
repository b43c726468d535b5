/**
 * The form of any request, made from the engine's schema of it: what must be given and what is given stands open, the rest waits
 * folded. Meaning, default and range of a field are the schema's words; complaints of the engine stand at the field that they name.
 */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { CatalogItem, Named, RequestError } from "../contract.ts";
import { fieldText } from "../format.ts";
import { isObject, type Json, type JsonObject, pointerToken, textAt, valueAt } from "../json.ts";
import { fill, humanize } from "../messages.ts";
import { usePage } from "../page.ts";
import type { State } from "../state.ts";
import { Faults, ItemBox, isWithin, NumberInput, Options } from "../views/field.tsx";
import { Disclosure } from "../views/fold.tsx";
import { choiceName } from "../views/names.ts";
import { quantityOf, shownNumber } from "../views/quantity.ts";
import { catalogList } from "./catalog_lists.ts";
import { FaultsElsewhere, HiddenKeys } from "./faults_elsewhere.tsx";
import { fieldLabel, fieldLabelAt } from "./field_names.ts";
import { FilterField } from "./filter_field.tsx";
import { type FoundInput, inputsOf, matchingInputs } from "./find_inputs.ts";
import { formTexts } from "./form_texts.ts";
import { JsonBox, PasteModel } from "./json_box.tsx";
import { loadPlaces, placeName, placeOf } from "./places.ts";
import { askedAs, type Field, formOf, listOf, unitOf } from "./requests.ts";
import { texts } from "./texts.ts";
import { wantedInput } from "./wanted_input.ts";
import { helpText } from "./words.ts";

const kAlwaysHidden = ["kind", "schema", "explain"];

interface SchemaFormProps {
  schema: Field;
  hidden?: readonly string[];
  /** The place of what another form asks and complains about. */
  elsewhere?: string;
  /** Stands below the inputs that matter most, so that nothing of it is open before it is asked for. */
  folded?: boolean;
}

/** Objects and items of lists wait closed, what is given in them too. */
const IsFolded = createContext(false);

export function SchemaForm({ schema, hidden = [], elsewhere, folded = false }: SchemaFormProps) {
  const { state } = usePage();
  const [typed, setTyped] = useState("");
  const keys = new Set([...kAlwaysHidden, ...hidden]);
  const wanted = folded ? wantedInput.value : undefined;
  useEffect(() => {
    if (wanted !== undefined) setTyped("");
  }, [wanted]);
  const inputs = typed.trim() === "" && wanted === undefined ? [] : inputsOf(schema, state.request.value, keys);
  const named = wanted === undefined ? undefined : inputs.filter(({ pointer }) => pointer === wanted);
  const found = typed.trim() === "" ? named : matchingInputs(inputs, typed);
  const shown = found?.slice(0, kMostFound);
  const take = (text: string) => {
    setTyped(text);
    wantedInput.value = undefined;
  };
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wanted === undefined) return;
    const field = list.current?.querySelector<HTMLElement>("input, select, textarea, button");
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  }, [wanted]);
  return (
    <HiddenKeys.Provider value={keys}>
      <IsFolded.Provider value={folded}>
        <FaultsElsewhere
          schema={schema}
          among={(error) => elsewhere === undefined || !isWithin(error, elsewhere)}
          shown={shown?.map(({ pointer }) => pointer)}
        />
        <div class="find-input">
          <FilterField label={texts.findInput} example={texts.findInputExample} text={typed} take={take} />
        </div>
        {shown === undefined ? (
          <Fields schema={schema} pointer="" />
        ) : (
          <div ref={list}>
            <FoundInputs inputs={shown} count={found?.length ?? 0} />
          </div>
        )}
      </IsFolded.Provider>
    </HiddenKeys.Provider>
  );
}

/** More are not read; another word makes them fewer. */
const kMostFound = 12;

/** The inputs that people call so, each with what it is part of. */
function FoundInputs({ inputs, count }: { inputs: readonly FoundInput[]; count: number }) {
  const shown = inputs.length;
  const said = count === 0 ? texts.inputsNone : shown < count ? texts.inputsFirst : texts.inputsFound;
  return (
    <div class="schema-fields">
      <p class="note" role="status">
        {fill(said, { count, shown })}
      </p>
      {inputs.map(({ within, ...input }) => (
        <div key={input.pointer}>
          {within.length === 0 ? null : <p class="within">{within.join(" › ")}</p>}
          <AnyField {...input} />
        </div>
      ))}
    </div>
  );
}

interface FieldsProps {
  schema: Field;
  pointer: string;
  /** Keys that the form asks for elsewhere. */
  skip?: readonly string[];
}

export function Fields({ schema, pointer, skip = [] }: FieldsProps) {
  const { state } = usePage();
  const hidden = useContext(HiddenKeys);
  const value = valueAt(state.request.value, pointer);
  const given = isObject(value) ? value : {};
  const { properties = {}, required = [] } = formOf(schema, value);
  const entries = Object.entries(properties).filter(
    ([key]) => !skip.includes(key) && (pointer !== "" || !hidden.has(key)),
  );
  const isOpen = ([key]: [string, Field]) =>
    required.includes(key) || Object.hasOwn(given, key) || hasFault(state.errors.value, at(pointer, key));
  const open = entries.filter(isOpen);
  const more = entries.filter((entry) => !isOpen(entry));
  const draw = ([key, field]: [string, Field]) => (
    <AnyField key={key} name={key} field={field} pointer={at(pointer, key)} required={required.includes(key)} />
  );
  return (
    <div class="schema-fields">
      {open.map(draw)}
      {more.length === 0 ? null : (
        <Disclosure summary={fill(open.length === 0 ? texts.inputsCount : texts.moreInputs, { count: more.length })}>
          {() => <div class="schema-fields inner">{more.map(draw)}</div>}
        </Disclosure>
      )}
    </div>
  );
}

function at(pointer: string, key: string): string {
  return `${pointer}/${pointerToken(key)}`;
}

function hasFault(errors: readonly RequestError[], pointer: string): boolean {
  return errors.some((error) => isWithin(error, pointer));
}

interface FieldProps {
  name: string;
  field: Field;
  pointer: string;
  required: boolean;
}

const kFields: Record<ReturnType<typeof askedAs>, (props: FieldProps) => ComponentChildren> = {
  object: ObjectField,
  objects: ObjectsField,
  number: NumberField,
  flag: FlagField,
  choice: WordField,
  choices: (props) => <ChoicesField {...props} options={named(props.field.items?.enum)} />,
  item: ItemField,
  items: ItemsField,
  counts: CountsField,
  json: JsonField,
  text: (props) => (props.name === "country" ? <CountryField {...props} /> : <TextField {...props} />),
};

function AnyField(props: FieldProps) {
  const Asked = kFields[askedAs(props.field)];
  return <Asked {...props} />;
}

/** Words that a field may hold, by the names that people know them by. */
function named(ids: readonly string[] = []): CatalogItem[] {
  return ids.map((id) => ({ id, name: optionName(id), group: "" }));
}

function optionName(id: string): string {
  const name = choiceName(id);
  return name === id && /^[a-z]{3,}(?:-[a-z]+)*$/.test(id) ? humanize(id) : name;
}

function idOf(pointer: string): string {
  return `in${pointer.replaceAll(/[^a-z0-9_]+/gi, "-")}`;
}

/** Label, help, the input itself, and what is wrong with it; a given value that need not be given can be taken out again. */
function Row({
  name,
  field,
  pointer,
  required,
  children,
  unit,
}: FieldProps & { children: ComponentChildren; unit?: string }) {
  const { state, controller } = usePage();
  const id = idOf(pointer);
  const given = valueAt(state.request.value, pointer) !== undefined;
  return (
    <div class="field schema-field">
      <div class="field-head">
        <label for={id}>
          {fieldLabelAt(pointer)}
          {unit === undefined || unit === "" ? null : <span class="unit"> {unit}</span>}
        </label>
        {given && !required ? (
          <button
            type="button"
            class="clear"
            aria-label={fill(texts.clearField, { field: fieldLabelAt(pointer) })}
            title={fill(texts.clearField, { field: fieldLabelAt(pointer) })}
            onClick={() => controller.edit(pointer, undefined)}
          >
            ×
          </button>
        ) : null}
      </div>
      {children}
      <About name={name} field={field} pointer={pointer} />
    </div>
  );
}

/** The schema's words about a field, unless they only repeat its label, and what is wrong with it. */
export function About({ name, field, pointer }: Omit<FieldProps, "required">) {
  const { state } = usePage();
  const id = idOf(pointer);
  const text = helpText(field.description ?? "", fieldLabel);
  const says = text.toLowerCase() !== fieldLabel(name).toLowerCase();
  return (
    <>
      <p class="help" id={`${id}-help`}>
        {says ? text : ""}
      </p>
      <Faults id={`${id}-fault`} errors={state.errors.value.filter(({ path }) => path === pointer)} />
    </>
  );
}

function described(pointer: string) {
  const id = idOf(pointer);
  return { id, "aria-describedby": `${id}-help ${id}-fault` };
}

function useGiven(pointer: string): unknown {
  return valueAt(usePage().state.request.value, pointer);
}

function useIsFaulty(pointer: string): boolean {
  return usePage().state.errors.value.some(({ path }) => path === pointer);
}

function defaultText(field: Field): string {
  if (typeof field.default === "number") return fieldText(field.default);
  return typeof field.default === "string" ? optionName(field.default) : "";
}

function NumberField(props: FieldProps) {
  const { pointer, field, name } = props;
  const sign = unitOf(name);
  // `Peak requests/s` says its unit itself.
  const isSaid = fieldLabel(name).includes("/");
  return (
    <Row {...props} unit={isSaid ? "" : quantityOf(name, sign).unit}>
      <NumberInput
        {...described(pointer)}
        pointer={pointer}
        sign={sign}
        placeholder={typeof field.default === "number" ? shownNumber(field.default, quantityOf(name)) : ""}
        aria-invalid={useIsFaulty(pointer)}
      />
    </Row>
  );
}

function TextField(props: FieldProps) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  return (
    <Row {...props}>
      <input
        {...described(props.pointer)}
        type="text"
        placeholder={defaultText(props.field)}
        value={typeof given === "string" ? given : ""}
        aria-invalid={useIsFaulty(props.pointer)}
        onInput={({ currentTarget }) =>
          controller.edit(props.pointer, currentTarget.value === "" ? undefined : currentTarget.value)
        }
      />
    </Row>
  );
}

/** A country by its name, which the request has by its code. */
function CountryField(props: FieldProps) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  const [places, setPlaces] = useState<readonly Named[]>([]);
  useEffect(() => {
    void loadPlaces().then(setPlaces, () => undefined);
  }, []);
  const [typed, setTyped] = useState<{ text: string; code: string | undefined }>();
  const place = placeOf(places, String(given ?? ""));
  const shown = place === undefined ? String(given ?? "") : placeName(place);
  return (
    <Row {...props}>
      <input
        {...described(props.pointer)}
        type="text"
        placeholder={defaultText(props.field)}
        value={typed !== undefined && typed.code === given ? typed.text : shown}
        aria-invalid={useIsFaulty(props.pointer)}
        onInput={({ currentTarget: { value: text } }) => {
          const code = text === "" ? undefined : (placeOf(places, text)?.id ?? text);
          setTyped({ text, code });
          controller.edit(props.pointer, code);
        }}
        onBlur={() => setTyped(undefined)}
      />
    </Row>
  );
}

function FlagField(props: FieldProps) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  const on = typeof given === "boolean" ? given : props.field.default === true;
  return (
    <div class="field schema-field">
      <label class="check">
        <input
          {...described(props.pointer)}
          type="checkbox"
          checked={on}
          onChange={({ currentTarget }) => controller.edit(props.pointer, currentTarget.checked)}
        />
        <span>{fieldLabel(props.name)}</span>
      </label>
      <About {...props} />
    </div>
  );
}

/** The name of an item that the request calls by another id, as the answer has it under the same key. */
function nameInAnswer(state: State, { pointer, name, options }: FieldProps & { options: readonly CatalogItem[] }) {
  const isAnswered = state.answered.value === state.request.value && pointer === `/${name}`;
  const id = isAnswered ? textAt(state.answer.value, pointer) : undefined;
  return options.find((item) => item.id === id)?.name;
}

function ChoiceField(props: FieldProps & { options: readonly CatalogItem[] }) {
  const { state, controller } = usePage();
  const given = useGiven(props.pointer);
  const value = typeof given === "string" ? given : "";
  const normal = defaultText(props.field);
  return (
    <Row {...props}>
      <select
        {...described(props.pointer)}
        value={value}
        aria-invalid={useIsFaulty(props.pointer)}
        onChange={({ currentTarget }) =>
          controller.edit(props.pointer, currentTarget.value === "" ? undefined : currentTarget.value)
        }
      >
        {props.required && value !== "" ? null : (
          <option value="" selected={value === ""}>
            {normal === "" ? texts.notGiven : fill(texts.defaultChoice, { value: normal })}
          </option>
        )}
        {value !== "" && !props.options.some(({ id }) => id === value) ? (
          <option value={value}>{nameInAnswer(state, props) ?? value}</option>
        ) : null}
        <Options items={props.options} chosen={value} />
      </select>
    </Row>
  );
}

/** One of the words of the schema; ids of the catalog by the names that it has for them. */
function WordField(props: FieldProps) {
  const words = props.field.enum ?? [];
  const items = useItems(props.name).filter(({ id }) => words.includes(id));
  const others = words.filter((word) => !items.some(({ id }) => id === word));
  return <ChoiceField {...props} options={[...items, ...named(others)]} />;
}

function ChoicesField(props: FieldProps & { options: readonly CatalogItem[] }) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  const chosen = Array.isArray(given) ? given.filter((id) => typeof id === "string") : [];
  const id = idOf(props.pointer);
  return (
    <fieldset class="field schema-field" aria-describedby={`${id}-help ${id}-fault`}>
      <legend>{fieldLabel(props.name)}</legend>
      <div class={props.options.length > 8 ? "row chips many" : "row chips"}>
        {props.options.map((item) => (
          <ItemBox key={item.id} item={item} chosen={chosen} choose={(ids) => controller.edit(props.pointer, ids)} />
        ))}
      </div>
      <About {...props} />
    </fieldset>
  );
}

/** The items of a list of the catalog; systems are asked for when a form first needs them. */
function useItems(name: string): readonly CatalogItem[] {
  const { state } = usePage();
  const list = listOf(name);
  const [items, setItems] = useState<readonly CatalogItem[]>([]);
  useEffect(() => {
    if (list === "systems") void catalogList("systems").then(setItems, () => undefined);
  }, [list]);
  if (list === "systems") return items;
  return list === "models" ? state.initial.models : state.initial.gpus;
}

/** An item of the catalog, or one described in the request itself. */
function ItemField(props: FieldProps) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  const items = useItems(props.name);
  if (isObject(given)) {
    return (
      <Row {...props}>
        <p class="row own">
          <span>{fill(texts.ownItem, { count: Object.keys(given).length })}</span>
          <button type="button" id={idOf(props.pointer)} onClick={() => controller.edit(props.pointer, items[0]?.id)}>
            {texts.fromCatalog}
          </button>
        </p>
        <JsonBox pointer={props.pointer} value={given} label={texts.ownText} />
      </Row>
    );
  }
  return (
    <>
      <ChoiceField {...props} options={items} />
      {listOf(props.name) === "models" ? (
        <Disclosure summary={formTexts.pasteModel}>{() => <PasteModel pointer={props.pointer} />}</Disclosure>
      ) : null}
    </>
  );
}

function ItemsField(props: FieldProps) {
  return <ChoicesField {...props} options={useItems(props.name)} />;
}

function CountsField(props: FieldProps) {
  const { controller } = usePage();
  const given = useGiven(props.pointer);
  const written = Array.isArray(given) ? given.join(", ") : "";
  // What was typed stands as long as it says what the request has.
  const [typed, setTyped] = useState({ text: written, written });
  return (
    <Row {...props}>
      <input
        {...described(props.pointer)}
        type="text"
        inputMode="numeric"
        placeholder={texts.countsExample}
        value={typed.written === written ? typed.text : written}
        aria-invalid={useIsFaulty(props.pointer)}
        onInput={({ currentTarget }) => {
          const words = currentTarget.value.split(/[\s,;]+/).filter((word) => word !== "");
          const counts = words.map(Number).filter((count) => Number.isFinite(count));
          setTyped({ text: currentTarget.value, written: counts.join(", ") });
          controller.edit(props.pointer, counts.length === 0 ? undefined : counts);
        }}
      />
    </Row>
  );
}

function JsonField(props: FieldProps) {
  const given = useGiven(props.pointer);
  return (
    <Row {...props}>
      <JsonBox pointer={props.pointer} value={isObject(given) ? given : undefined} label={fieldLabel(props.name)} />
    </Row>
  );
}

/** A fold whose content is made when it is first open. */
function LateFold({
  title,
  open,
  children,
  of,
}: {
  title: string;
  open: boolean;
  children: () => ComponentChildren;
  of: string;
}) {
  const [opened, setOpened] = useState(open);
  return (
    <details class={of} open={open} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {opened || open ? children() : null}
    </details>
  );
}

function ObjectField({ name, field, pointer }: FieldProps) {
  const { state, controller } = usePage();
  const isFolded = useContext(IsFolded);
  const given = valueAt(state.request.value, pointer) !== undefined;
  const isOpen = (given && !isFolded) || hasFault(state.errors.value, pointer);
  return (
    <LateFold of="group-field" title={fieldLabel(name)} open={isOpen}>
      {() => (
        <>
          <About name={name} field={field} pointer={pointer} />
          <Fields schema={field} pointer={pointer} />
          {given ? (
            <button type="button" class="small" onClick={() => controller.edit(pointer, undefined)}>
              {fill(texts.clearField, { field: fieldLabel(name) })}
            </button>
          ) : null}
        </>
      )}
    </LateFold>
  );
}

function ObjectsField(props: FieldProps) {
  return (
    <fieldset class="group-field">
      <legend>{fieldLabel(props.name)}</legend>
      <About {...props} />
      <ItemForms {...props} />
    </fieldset>
  );
}

interface ItemFormsProps extends Omit<FieldProps, "required"> {
  /** What the first one begins with; a further one begins as the last. */
  first?: JsonObject;
}

/** A form for each object of a list, and a way to add one. */
export function ItemForms({ name, field, pointer, first = {} }: ItemFormsProps) {
  const { state, controller } = usePage();
  const isFolded = useContext(IsFolded);
  const given = useGiven(pointer);
  const items = Array.isArray(given) ? (given as Json[]) : [];
  const itemSchema = field.items;
  if (itemSchema === undefined) return null;
  return (
    <>
      {items.map((item, i) => {
        const at = `${pointer}/${i}`;
        const isOpen = (items.length < 3 && !isFolded) || hasFault(state.errors.value, at);
        return (
          <LateFold key={i} of="item-field" title={itemTitle(item, name, i)} open={isOpen}>
            {() => (
              <>
                <Fields schema={itemSchema} pointer={at} />
                <button type="button" class="small" onClick={() => controller.edit(at, undefined)}>
                  {texts.removeItem}
                </button>
              </>
            )}
          </LateFold>
        );
      })}
      <button type="button" class="small" onClick={() => controller.edit(pointer, [...items, items.at(-1) ?? first])}>
        {texts.addItem}
      </button>
    </>
  );
}

function itemTitle(item: Json, name: string, index: number): string {
  if (isObject(item) && typeof item.name === "string") return item.name;
  return fill(texts.itemNumber, { list: fieldLabel(name), number: index + 1 });
}
