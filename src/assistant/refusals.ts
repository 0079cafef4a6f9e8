import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('assistant', {
  empty: { agent: 'text is required', en: 'Write what you need.', es: 'Escriba lo que necesita.' },
  tooLong: {
    agent: 'text can have at most {max} characters',
    en: 'Write at most {max} characters.',
    es: 'Escriba como máximo {max} caracteres.',
  },
  noModel: {
    agent: 'no model is connected',
    en: 'No language model is connected yet.',
    es: 'Todavía no hay un modelo de lenguaje conectado.',
  },
  running: {
    agent: 'an answer is still being written in this conversation',
    en: 'The assistant is still answering in this conversation. Wait until it is done, or stop it.',
    es: 'El asistente todavía está respondiendo en esta conversación. Espere a que termine o deténgalo.',
  },
  tooMany: {
    agent: 'too many answers are being written at once',
    en: 'The assistant is busy with other answers. Try again when one of them is done.',
    es: 'El asistente está ocupado con otras respuestas. Inténtelo de nuevo cuando termine alguna.',
  },
  conversationLimit: {
    agent: 'this conversation has reached its limit',
    en: 'This conversation has reached its limit. Start a new one.',
    es: 'Esta conversación llegó a su límite. Empiece una nueva.',
  },
  dayLimit: {
    agent: "the company's tokens for today are used up",
    en: 'Your company has used up the assistant’s limit for today. Try again tomorrow.',
    es: 'Su empresa ya usó el límite del asistente para hoy. Inténtelo de nuevo mañana.',
  },
  needsKey: { agent: 'key is required for anthropic', en: 'Enter the API key.', es: 'Escriba la clave de API.' },
  needsModel: { agent: 'model is required', en: 'Enter the name of the model.', es: 'Escriba el nombre del modelo.' },
  needsUrl: {
    agent: 'url must be an https address',
    en: 'Enter the address of the API. It must begin with https://.',
    es: 'Escriba la dirección de la API. Debe comenzar con https://.',
  },
  noPrice: {
    agent: '{field} must be dollars per million tokens, such as 3 or 0.25',
    en: 'Enter dollars per million tokens, such as 3 or 0.25.',
    es: 'Escriba dólares por millón de tokens, como 3 o 0.25.',
  },
})
