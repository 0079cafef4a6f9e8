type Measure = (text: string) => number

/** Wraps text to a width: at line ends, then at spaces, and inside words that are too long for a line. */
export function wrapText(text: string, width: number, measure: Measure): string[] {
  const space = measure(' ')
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let [line, used] = ['', 0]
    for (const word of paragraph.split(/ +/).filter((word) => word !== '')) {
      const wide = measure(word)
      if (line !== '' && used + space + wide <= width) {
        line += ` ${word}`
        used += space + wide
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = wide <= width ? [word] : splitWord(word, width, measure)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ''
      used = measure(line)
    }
    return [...lines, line]
  })
}

const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts a word into pieces that fit, between grapheme clusters. */
function splitWord(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = []
  let [piece, used] = ['', 0]
  for (const { segment } of CLUSTERS.segment(word)) {
    const wide = measure(segment)
    if (piece !== '' && used + wide > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += wide
  }
  return [...pieces, piece]
}
