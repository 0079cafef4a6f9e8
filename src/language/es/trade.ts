import type { Texts } from '../texts.ts'

/** Holds the words of shorter ways through the work: billing and sending in one step. */
export const trade: Texts = {
  "Create and send writes to its contact at once, in your company's words. To look at the message first, create it and press Send.":
    'Crear y enviar escribe a su contacto al momento, con las palabras de su empresa. Para ver antes el mensaje, cree el documento y pulse Enviar.',
  'Bill and send': 'Facturar y enviar',
  'Done, bill and send': 'Terminar, facturar y enviar',
}
