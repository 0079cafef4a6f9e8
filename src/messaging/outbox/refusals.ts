import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('outbox', {
  underWay: {
    agent: 'this message is already on its way',
    en: 'This message is already on its way.',
    es: 'Este mensaje ya va en camino.',
  },
  notUncertain: {
    agent: 'only a message that may have been sent can be marked as sent',
    en: 'You can mark a message as sent only while it isn’t known whether it went out.',
    es: 'Solo puede marcar un mensaje como enviado mientras no se sabe si salió.',
  },
  tooLate: {
    agent: 'it is too late to send this message',
    en: 'It’s too late to send this message.',
    es: 'Ya es demasiado tarde para enviar este mensaje.',
  },
  outdated: {
    agent: 'this message is out of date; write a new one',
    en: 'This message is out of date. Write a new one.',
    es: 'Este mensaje ya no es válido. Escriba uno nuevo.',
  },
  oneAddress: {
    agent: "must be one email address such as ana@example.com (got ''{value}'')",
    en: 'Enter one email address, such as ana@example.com.',
    es: 'Escriba un solo correo electrónico, por ejemplo ana@example.com.',
  },
  answerWithoutId: {
    agent: 'The provider answered without a message id',
    en: 'The provider’s answer had no message ID.',
    es: 'La respuesta del proveedor no traía el identificador del mensaje.',
  },
  robot: {
    agent: 'is a mailbox that nobody reads',
    en: 'Nobody reads this mailbox. Choose another address.',
    es: 'Nadie lee este buzón. Elija otra dirección.',
  },
  stopped: {
    agent: 'opted out of texts; they can reply START to allow them again',
    en: 'They asked for no more texts. They can reply START to allow them again.',
    es: 'Pidió no recibir más mensajes de texto. Puede responder START para volver a permitirlos.',
  },
  noMail: {
    agent: "belongs to a contact who doesn't want email",
    en: 'This contact doesn’t want email.',
    es: 'Este contacto no quiere recibir correos.',
  },
  noTexts: {
    agent: "belongs to a contact who doesn't want texts",
    en: 'This contact doesn’t want texts.',
    es: 'Este contacto no quiere recibir mensajes de texto.',
  },
  bounced: {
    agent: 'is an address that mail bounced from; remove it from the do-not-send list under Outbox to try again',
    en: 'Mail to this address came back. To try again, remove it from the do-not-send list under Outbox.',
    es:
      'El correo a esta dirección fue devuelto. ' +
      'Para intentarlo de nuevo, quítela de la lista de exclusión, en Bandeja de salida.',
  },
  complained: {
    agent: 'is an address whose owner reported our mail as spam',
    en: 'The owner of this address reported your mail as spam.',
    es: 'El dueño de esta dirección marcó su correo como no deseado.',
  },
  unclear: {
    agent: 'may have opted out of texts; read their last message and decide on the Messages page',
    en: 'They may have asked for no more texts. Read their last message and decide on the Messages page.',
    es:
      'Es posible que haya pedido no recibir más mensajes de texto. ' +
      'Lea su último mensaje y decida en la página Mensajes.',
  },
})
