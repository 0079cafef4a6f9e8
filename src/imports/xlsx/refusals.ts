import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('workbooks', {
  damaged: {
    agent: 'is a damaged Excel file; open it, save it again as .xlsx and choose the new file',
    en: 'This Excel file is damaged. Open it, save it again as .xlsx, and choose the new file.',
    es: 'Este archivo de Excel está dañado. Ábralo, guárdelo de nuevo como .xlsx y elija el archivo nuevo.',
  },
  tooManyParts: {
    agent: 'must have at most {max} parts (got {count}); save it again as .xlsx',
    en: 'This Excel file has too many parts. Open it, save it again as .xlsx, and choose the new file.',
    es: 'Este archivo de Excel tiene demasiadas partes. Ábralo, guárdelo de nuevo como .xlsx y elija el archivo nuevo.',
  },
  largeSheet: {
    agent: 'must have sheets of at most {max} MB when unpacked (got {size} MB); split it, or save it as CSV',
    en: 'A sheet in this file is too large. Split the file, or save the sheet as CSV.',
    es: 'Una hoja de este archivo es demasiado grande. Divida el archivo o guarde la hoja como CSV.',
  },
  password: {
    agent: 'must have no password; save it without one',
    en: 'This file has a password. Save it without one and choose it again.',
    es: 'Este archivo tiene contraseña. Guárdelo sin contraseña y elíjalo de nuevo.',
  },
  tooManyRows: {
    agent: 'must have at most {max} rows, empty ones included (got row {number}); split it',
    en: 'The sheet has more than {max, number} rows, counting empty ones. Split it into smaller files.',
    es: 'La hoja tiene más de {max, number} filas, contando las vacías. Divídala en archivos más pequeños.',
  },
  rowOrder: {
    agent: 'has its rows out of order (row {number}); save it again as .xlsx',
    en:
      'The rows of this file are out of order after row {number, number}. ' +
      'Open it, save it again as .xlsx, and choose the new file.',
    es:
      'Las filas de este archivo están desordenadas después de la fila {number, number}. Ábralo, ' +
      'guárdelo de nuevo como .xlsx y elija el archivo nuevo.',
  },
  tooManyColumns: {
    agent: 'row {number} must have at most {max} columns (got one at {column})',
    en: 'Row {number, number} has more than {max, number} columns. Delete the columns you don’t need.',
    es: 'La fila {number, number} tiene más de {max, number} columnas. Elimine las que no necesite.',
  },
  empty: {
    agent: 'has no rows in any sheet',
    en: 'This file is empty. Choose a file that has rows.',
    es: 'Este archivo está vacío. Elija uno que tenga filas.',
  },
  unknownSheet: {
    agent: 'has no such sheet; choose another',
    en: 'This file doesn’t have that sheet. Choose another one.',
    es: 'Este archivo no tiene esa hoja. Elija otra.',
  },
  otherArchive: {
    agent: 'must be an Excel file (.xlsx) or CSV (got another kind of zip file)',
    en: 'Choose an Excel file (.xlsx) or a CSV file. This is another kind of zip file.',
    es: 'Elija un archivo de Excel (.xlsx) o CSV. Este es otro tipo de archivo zip.',
  },
  otherKind: {
    agent: 'must be an .xlsx file; open it and save it as .xlsx',
    en: 'Open this Excel file, save it as .xlsx, and choose the new file.',
    es: 'Abra este archivo de Excel, guárdelo como .xlsx y elija el archivo nuevo.',
  },
  hidden: {
    agent: 'has only hidden sheets; unhide one',
    en: 'All sheets in this file are hidden. Unhide the one you want to import.',
    es: 'Todas las hojas de este archivo están ocultas. Muestre la que quiera importar.',
  },
  tooMuchText: {
    agent: 'must have at most {max} MB of text; split it',
    en: 'The sheet has more than {max, number} MB of text. Split it into smaller files.',
    es: 'La hoja tiene más de {max, number} MB de texto. Divídala en archivos más pequeños.',
  },
  tooManyTexts: {
    agent: 'must have at most {max} different texts; split it',
    en: 'This file has too much text. Split it into smaller files.',
    es: 'Este archivo tiene demasiado texto. Divídalo en archivos más pequeños.',
  },
  tooManyStyles: {
    agent: 'must have at most {max} styles; save it again as .xlsx',
    en: 'This file has too many cell styles. Save it as CSV and choose that.',
    es: 'Este archivo tiene demasiados estilos de celda. Guárdelo como CSV y elija ese archivo.',
  },
})
