/**
 * The value of a key in a map; if there is none yet, the one that `create` returns, which is inserted. Map.prototype.getOrInsertComputed is
 * not available in every Node 26, such as the one for Windows.
 */
export function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}
