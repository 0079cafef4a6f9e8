import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('files.screening', {
  notPicture: {
    agent: 'must be a PNG or JPEG picture',
    en: 'Choose a PNG or JPEG picture.',
    es: 'Elija una imagen PNG o JPEG.',
  },
  badSize: {
    agent: 'must have at most 4 million pixels (got {width} by {height}); make it smaller',
    en:
      'This picture has {width} by {height} pixels. ' +
      'Choose one with at most 4 million pixels, and at most {side} on each side.',
    es:
      'Esta imagen tiene {width} por {height} píxeles. ' +
      'Elija una de 4 millones de píxeles como máximo y de {side} por lado como máximo.',
  },
  broken: {
    agent: "is damaged: it can't be read as a picture; export it again",
    en: 'This picture can’t be read. Export it again, or choose another one.',
    es: 'No se puede leer esta imagen. Expórtela de nuevo o elija otra.',
  },
})
