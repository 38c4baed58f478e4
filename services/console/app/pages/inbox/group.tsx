export function Group() {
  return <p>…</p>;
}
