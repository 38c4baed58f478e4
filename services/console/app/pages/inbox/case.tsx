export function Case() {
  return <p>…</p>;
}
