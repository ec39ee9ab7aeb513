const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** Whether consecutive whole words of a text are a name. `key`: as `nameKey` writes it. */
export function mentionsName(text: string, key: string): boolean {
  const name = wordsOf(key).join('');
  const words = wordsOf(text.toLowerCase().normalize('NFC'));
  return (
    name !== '' &&
    words.some((_, first) => {
      let joined = '';
      for (let at = first; joined.length < name.length && at < words.length; at++) joined += words[at];
      return joined === name;
    })
  );
}

const wordsOf = (text: string): readonly string[] => text.split(BETWEEN_WORDS).filter((word) => word !== '');
