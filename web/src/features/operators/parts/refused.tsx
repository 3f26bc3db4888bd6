// What the address asks for and there is not.
export function Refused({ refused }: { refused: readonly string[] }) {
  if (refused.length === 0) return null;
  return (
    <p class="op-refused" role="status">
      The address asks for {refused.join(", ")}, which there is not. It is left out.
    </p>
  );
}
