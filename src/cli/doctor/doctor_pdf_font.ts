import type { TranslatedFinding } from '../../health/finding.ts'
import { findFallbackFont, readFallbackFont } from '../../pdf/drawing/fallback_font.ts'
import { fontProblem } from '../../pdf/drawing/pdf_document.ts'
import type { Config } from '../../platform/config/config.ts'

/** Reports whether the fallback font for characters missing in the built-in font is usable. */
export function pdfFontFinding({ pdfFallbackFont }: Pick<Config, 'pdfFallbackFont'>): TranslatedFinding {
  const check = 'PDF font'
  const font = findFallbackFont(pdfFallbackFont)
  if (font === null)
    return {
      check,
      ok: true,
      says: 'none for Chinese, Japanese and Korean: PDFs show boxes; install fonts-noto-cjk if you need them',
    }
  const read = readFallbackFont(font)
  const problem = read === null ? `${font.file} can't be read` : fontProblem(read)
  if (problem === null) return { check, ok: true, says: `${font.name ?? font.file} for missing characters` }
  return {
    check,
    ok: false,
    says: problem,
    mend: 'Check PDF_FONT_FALLBACK: a TrueType or OpenType file; for a collection, add # and the name of one font.',
  }
}
