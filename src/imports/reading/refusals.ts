import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('imports', {
  tooManyFiles: {
    agent: 'You imported {max} files within a day. Try again tomorrow.',
    en: 'You imported {max, number} files within a day. Try again tomorrow.',
    es: 'Importó {max, number} archivos en un día. Inténtelo de nuevo mañana.',
  },
  oneSheet: {
    agent: 'this file has only one sheet',
    en: 'This file has only one sheet.',
    es: 'Este archivo tiene una sola hoja.',
  },
  started: {
    agent: 'this file was already imported, or is being imported now',
    en: 'This file has already been imported, or is being imported now.',
    es: 'Este archivo ya se importó o se está importando ahora.',
  },
  underWay: {
    agent: 'this file was already processed, or is being processed now',
    en: 'This file is already done, or is being worked on now.',
    es: 'Este archivo ya está listo o se está procesando ahora.',
  },
  tooManyLines: {
    agent: 'must have at most {max} rows (got more than {lines} lines); split it',
    en: 'The file has more than {max, number} rows. Split it into smaller files.',
    es: 'El archivo tiene más de {max, number} filas. Divídalo en archivos más pequeños.',
  },
  longHeader: {
    agent: 'must have a header of at most {max} kB in its first line',
    en: 'The first line of the file is too long. Make sure that it has the column names.',
    es: 'La primera línea del archivo es demasiado larga. Revise que tenga los nombres de las columnas.',
  },
  longRow: {
    agent: 'row {number} must have at most {max} kB; look for an unclosed quotation mark',
    en: 'Row {number, number} is too long. Look for a quotation mark that isn’t closed.',
    es: 'La fila {number, number} es demasiado larga. Busque comillas que no se cerraron.',
  },
  unreadable: {
    agent: "can't be read as CSV: {why}",
    en: 'This file can’t be read as CSV. Open it in a spreadsheet and save it as .xlsx or CSV.',
    es: 'Este archivo no se puede leer como CSV. Ábralo en una hoja de cálculo y guárdelo como .xlsx o CSV.',
  },
  tooManyColumns: {
    agent: 'row {number} must have at most {max} columns',
    en: 'Row {number, number} has more than {max, number} columns. Delete the columns you don’t need.',
    es: 'La fila {number, number} tiene más de {max, number} columnas. Elimine las que no necesite.',
  },
  longCell: {
    agent: 'row {number} must have at most {max} characters in a cell (see column {column})',
    en:
      'Row {number, number} has a cell with more than {max, number} characters. ' +
      'Shorten it in column {column, number}.',
    es:
      'La fila {number, number} tiene una celda con más de {max, number} caracteres. ' +
      'Acórtela en la columna {column, number}.',
  },
  workbook: {
    agent:
      'must be a CSV file (got an Excel or zip file); open it and save it as CSV, or import it under Settings, Import',
    en: 'Choose a CSV file. To import this Excel file, go to Settings, Import.',
    es: 'Elija un archivo CSV. Para importar este archivo de Excel, vaya a Configuración, Importar.',
  },
  oldWorkbook: {
    agent:
      'must be an .xlsx or CSV file (got an Excel file in an old format, ' +
      'or one with a password); open it and save it as .xlsx without a password',
    en: 'This is an old kind of Excel file, or it has a password. Open it and save it as .xlsx without a password.',
    es: 'Este archivo de Excel es de un tipo antiguo o tiene contraseña. Ábralo y guárdelo como .xlsx sin contraseña.',
  },
  pdf: {
    agent: 'must be an Excel file (.xlsx) or CSV (got a PDF); export the same report as .xlsx',
    en: 'This is a PDF. Export the same report as Excel (.xlsx) or CSV.',
    es: 'Este archivo es un PDF. Exporte el mismo informe como Excel (.xlsx) o CSV.',
  },
  webPage: {
    agent: 'must be an Excel file (.xlsx) or CSV (got a web page); open it in a spreadsheet and save it as .xlsx',
    en: 'This is a web page. Open it in a spreadsheet and save it as .xlsx.',
    es: 'Este archivo es una página web. Ábralo en una hoja de cálculo y guárdelo como .xlsx.',
  },
  notText: {
    agent: 'must be text; save it as CSV UTF-8',
    en: 'This file can’t be read as text. Save it as CSV UTF-8.',
    es: 'Este archivo no se puede leer como texto. Guárdelo como CSV UTF-8.',
  },
})
