import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('importRows', {
  columnCount: {
    agent: 'the mapping must have one entry for each of the {count} columns (got {value})',
    en: 'The columns of the file have changed. Open the file again and say what each column is.',
    es: 'Las columnas del archivo cambiaron. Abra el archivo de nuevo e indique qué es cada columna.',
  },
  unknownField: {
    agent: 'a column must be one of {fields} (got {value})',
    en: 'Choose what each column is from the list.',
    es: 'Elija de la lista qué es cada columna.',
  },
  repeatedField: {
    agent: '{field} can be only one column (got {first} and {second}); leave one out',
    en: 'The columns {first} and {second} are set to the same thing. Leave one out.',
    es: 'Las columnas {first} y {second} están asignadas a lo mismo. Omita una.',
  },
  missingField: {
    agent: 'one column must have {what, select, name {the name} other {the customer}}: set a column to one of {fields}',
    en: 'Choose which column has the {what, select, name {name} other {customer}}.',
    es: 'Elija qué columna tiene {what, select, name {el nombre} other {el cliente}}.',
  },
  longValue: {
    agent: 'a value set for every row must have at most {max} characters (got {count})',
    en: 'A value for every row can have up to {max, number} characters. Shorten it.',
    es: 'Un valor para todas las filas puede tener hasta {max, number} caracteres. Acórtelo.',
  },
  tooManyRows: {
    agent: 'must have at most {max} rows; split it',
    en: 'The file has more than {max, number} rows. Split it into smaller files.',
    es: 'El archivo tiene más de {max, number} filas. Divídalo en archivos más pequeños.',
  },
  noRows: {
    agent: 'has no rows below its header',
    en: 'The file has no rows below the column names. Choose a file that has some.',
    es: 'El archivo no tiene filas debajo de los nombres de las columnas. Elija uno que las tenga.',
  },
  notMapped: {
    agent: 'the columns of this file are not mapped yet',
    en: 'Say what each column of this file is first.',
    es: 'Primero indique qué es cada columna de este archivo.',
  },
  tooManyNeeds: {
    agent:
      "the file may have at most {max} tags or categories that don't exist yet (got {count}); " +
      'leave that column out, or create them first',
    en:
      'The file has {count, number} tags or categories that you don’t have yet, and an import adds up to {max, ' +
      'number}. Leave that column out, or add them first.',
    es:
      'El archivo tiene {count, number} etiquetas o categorías que usted aún no tiene, ' +
      'y una importación agrega hasta {max, number}. Omita esa columna o agréguelas primero.',
  },
  forbiddenKind: {
    agent: 'looks like {kind}, which you may not change; ask an owner',
    en: 'You don’t have permission to import this kind of record. Ask an owner.',
    es: 'No tiene permiso para importar este tipo de registros. Pídaselo a un propietario.',
  },
})
