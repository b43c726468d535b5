/** What is typed to narrow a list, as it is typed. */
interface FilterFieldProps {
  label: string;
  example: string;
  text: string;
  take: (text: string) => void;
}

export function FilterField({ label, example, text, take }: FilterFieldProps) {
  return (
    <label>
      <span>{label}</span>{" "}
      <input
        type="search"
        value={text}
        placeholder={example}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
    </label>
  );
}
