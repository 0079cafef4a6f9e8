import { defineRefusals } from '../platform/errors/refusal_text.ts'

/** Refusals of files on jobs and of the logo. */
export const refusals = defineRefusals('files', {
  noUser: {
    agent: 'only people can add files to jobs; a tenant key has no user',
    en: 'Sign in to add files to a job.',
    es: 'Inicie sesión para agregar archivos a un trabajo.',
  },
  scopeMissing: {
    agent: 'job files need {scope}',
    en: 'You don’t have permission for this. Ask an owner of the account.',
    es: 'No tiene permiso para esto. Pídaselo a un propietario de la cuenta.',
  },
  badCaption: {
    agent: '{rule}{got}',
    en: 'Enter a caption of at most {max} characters.',
    es: 'Escriba una leyenda de {max} caracteres como máximo.',
  },
  controlInCaption: {
    agent: 'must not contain control characters',
    en: 'The caption has characters that can’t be shown. Type it again.',
    es: 'La leyenda tiene caracteres que no se pueden mostrar. Escríbala de nuevo.',
  },
  unknownStage: {
    agent: "must be one of {stages} (got ''{stage}'')",
    en: 'Choose whether it was taken before or after the work.',
    es: 'Elija si es de antes o de después del trabajo.',
  },
  empty: {
    agent: 'is empty',
    en: 'This file is empty. Choose another one.',
    es: 'Este archivo está vacío. Elija otro.',
  },
  notItsType: {
    agent: "doesn't match its type ({type})",
    en: 'What is in this file doesn’t match its type. Save or export it again.',
    es: 'El contenido de este archivo no corresponde a su tipo. Guárdelo o expórtelo de nuevo.',
  },
  typeNotAllowed: {
    agent:
      'must be a picture (JPEG, PNG, GIF, WebP, HEIC), a PDF, plain text, ' +
      'or a Microsoft Office or OpenDocument file without macros',
    en:
      'Choose a picture (JPEG, PNG, GIF, WebP or HEIC), a PDF, a text file, ' +
      'or a Microsoft Office or OpenDocument file without macros.',
    es:
      'Elija una imagen (JPEG, PNG, GIF, WebP o HEIC), un PDF, ' +
      'un archivo de texto o un archivo de Microsoft Office u OpenDocument sin macros.',
  },
  tooLarge: {
    agent: 'must be at most 10 MiB',
    en: 'Choose a file of at most 10 MB.',
    es: 'Elija un archivo de 10 MB como máximo.',
  },
  logoTooLarge: {
    agent: 'must be at most 512 KiB',
    en: 'Choose a logo of at most 512 KB.',
    es: 'Elija un logotipo de 512 KB como máximo.',
  },
})
