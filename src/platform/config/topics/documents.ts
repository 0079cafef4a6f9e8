import { isAbsolute } from 'node:path'
import { ConfigError, setting, topic } from '../setting.ts'

/** Font file, and the PostScript name of one font if the file is a collection. */
export type FontFile = { file: string; name: string | null }

export const documents = topic('Documents', {
  pdfFallbackFont: setting('PDF_FONT_FALLBACK', {
    parse: fontFile,
    default: null,
    defaultText: 'Noto Sans CJK, if installed',
    about:
      'TrueType or OpenType font for characters missing in the built-in one, such as Chinese, Japanese and Korean.',
    more: 'For a collection, name one font after `#`: `/fonts/NotoSansCJK-Regular.ttc#NotoSansCJKjp-Regular`.',
  }),
})

function fontFile(value: string, name: string): FontFile {
  const [file = '', font] = value.split('#', 2)
  if (!isAbsolute(file)) throw new ConfigError(`${name} must be the absolute path of a font file (got '${value}')`)
  return { file, name: font ?? null }
}
