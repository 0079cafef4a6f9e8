import type { Texts } from '../texts.ts'

export const assistant: Texts = {
  '{0} tokens': '{0} tokens',
  ', through the assistant': ', con el asistente',
  'API key': 'Clave de API',
  'Address of the API': 'Dirección de la API',
  'Ask about your work, or say what needs to be done.': 'Pregunte por su trabajo o diga qué hay que hacer.',
  'Ask an owner of your company to connect one.': 'Pídale a un propietario de su empresa que conecte uno.',
  'Ask me before every change': 'Preguntarme antes de cada cambio',
  'Assistant (Ctrl+J)': 'Asistente (Ctrl+J)',
  Assistant: 'Asistente',
  'By day': 'Por día',
  Dictate: 'Dictar',
  'New messages': 'Mensajes nuevos',
  'Prepare answers to customers': 'Preparar respuestas a los clientes',
  'It drafts an answer, and proposes the visit or new customer. You send and approve.':
    'Redacta una respuesta y propone la visita o el cliente nuevo. Usted envía y aprueba.',
  'The assistant prepared an answer': 'El asistente preparó una respuesta',
  'See what it found': 'Ver lo que encontró',
  'Use this answer': 'Usar esta respuesta',
  'Changes are made at once. You can undo them.': 'Los cambios se hacen de inmediato. Puede deshacerlos.',
  Changes: 'Cambios',
  'Connect a language model': 'Conecte un modelo de lenguaje',
  'Connect a model': 'Conectar un modelo',
  'Conversations are deleted {0} days after their last message.':
    'Las conversaciones se eliminan {0} días después del último mensaje.',
  'Delete conversation': 'Eliminar conversación',
  'Dollars per million input tokens': 'Dólares por millón de tokens de entrada',
  'Dollars per million output tokens': 'Dólares por millón de tokens de salida',
  "It answers from your company's records and prepares changes, with your permissions only.":
    'Responde con los registros de su empresa y prepara cambios, solo con los permisos que usted tiene.',
  'It can be wrong. Check what matters.': 'Puede equivocarse. Revise lo importante.',
  'It is stored encrypted.': 'Se guarda cifrada.',
  'Language model': 'Modelo de lenguaje',
  'Leave it empty to keep the key that is saved.': 'Déjela vacía para conservar la clave guardada.',
  'Limit: {0}': 'Límite: {0}',
  'Looked at an overview': 'Consultó un resumen',
  'Looked up: {0}': 'Consultó: {0}',
  'Message to the assistant': 'Mensaje para el asistente',
  'New conversation': 'Nueva conversación',
  'No model is connected, so there is no assistant on your pages.':
    'No hay ningún modelo conectado, así que sus páginas no tienen asistente.',
  'None yet. Only you can see them.': 'Todavía ninguna. Solo usted puede verlas.',
  'Nothing is changed until you approve it.': 'Nada cambia hasta que usted lo apruebe.',
  'Only for OpenAI-compatible. It must be public and begin with https://.':
    'Solo para los compatibles con OpenAI. Debe ser pública y comenzar con https://.',
  'Open or close the assistant': 'Abrir o cerrar el asistente',
  'OpenAI-compatible': 'Compatible con OpenAI',
  'Optional. With both prices, costs are shown.': 'Opcional. Con los dos precios se muestran los costos.',
  "Otherwise it makes changes at once. Either way you can undo them, and your company's rules hold.":
    'Si no, hace los cambios de inmediato. De todos modos puede deshacerlos, y valen las reglas de su empresa.',
  Refused: 'No permitido',
  'Remove model': 'Quitar modelo',
  'Save model': 'Guardar modelo',
  'Show changes': 'Mostrar cambios',
  'Something went wrong. Anything already done is kept. Try again.':
    'Algo salió mal. Lo que ya se hizo se conserva; inténtelo de nuevo.',
  Stop: 'Detener',
  'The answer was too long and was cut off. Say “continue”.':
    'La respuesta era demasiado larga y se cortó. Escriba «continúa».',
  'The assistant answers questions and prepares changes for you to approve.':
    'El asistente responde preguntas y prepara cambios para que usted los apruebe.',
  'It needs a language model: from Anthropic, or any with an OpenAI-compatible API.':
    'Necesita un modelo de lenguaje: de Anthropic o cualquiera con una API compatible con OpenAI.',
  "The assistant hasn't been used yet.": 'Todavía no se ha usado el asistente.',
  'The connection was lost. Open the conversation again to see what was done.':
    'Se perdió la conexión. Abra de nuevo la conversación para ver qué se hizo.',
  'The conversation was deleted.': 'Se eliminó la conversación.',
  'The model declined to answer this.': 'El modelo no quiso responder a esto.',
  'The model’s provider can’t be reached. Everything else works as usual; try again later.':
    'No se puede contactar al proveedor del modelo. Todo lo demás funciona como siempre; inténtelo más tarde.',
  'The model’s provider doesn’t accept the API key. An owner can change it in the settings.':
    'El proveedor del modelo no acepta la clave de API. Un propietario puede cambiarla en la configuración.',
  'The model’s provider is busy. Try again in a minute.':
    'El proveedor del modelo está ocupado. Inténtelo de nuevo en un minuto.',
  'The model’s provider refused the request. Start a new conversation, or try another model.':
    'El proveedor del modelo rechazó la solicitud. Empiece una nueva conversación o pruebe otro modelo.',
  'The model’s provider took too long to answer. Try again.':
    'El proveedor del modelo tardó demasiado en responder. Inténtelo de nuevo.',
  'The provider gets your messages and the records that are looked up, but no files.':
    'El proveedor recibe sus mensajes y los registros que se consultan, pero ningún archivo.',
  'The provider has no such model. An owner can change it in the settings.':
    'El proveedor no tiene ese modelo. Un propietario puede cambiarlo en la configuración.',
  'This conversation has reached its limit. Start a new one.':
    'Esta conversación llegó a su límite. Empiece una nueva.',
  'This took more steps than one answer can have. Say “continue”, or ask for less at a time.':
    'Esto requirió más pasos de los permitidos en una respuesta. Escriba «continúa» o pida menos a la vez.',
  Tokens: 'Tokens',
  'Usage and settings': 'Uso y configuración',
  'Usage of the company': 'Uso de la empresa',
  Proposed: 'Propuesto',
  'Due {0}': 'Vence el {0}',
  'There is more.': 'Hay más.',
  'Valid until {0}': 'Válida hasta el {0}',
  'What is on today’s schedule?': '¿Qué hay en la agenda de hoy?',
  'Which finished jobs aren’t billed yet?': '¿Qué trabajos terminados faltan por facturar?',
  'Who has owed us money for more than 30 days?': '¿Quién nos debe desde hace más de 30 días?',
  'You stopped the answer. Anything already done is kept.': 'Detuvo la respuesta. Lo que ya se hizo se conserva.',
  'Your access to this company changed, so the assistant stopped.':
    'Su acceso a esta empresa cambió, así que el asistente se detuvo.',
  'Your company has used up the assistant’s limit for today. Try again tomorrow.':
    'Su empresa ya usó el límite del asistente para hoy. Inténtelo de nuevo mañana.',
  'Your company uses its own model, {0}.': 'Su empresa usa su propio modelo, {0}.',
  'Your company uses the model of this installation, {0}. You can connect your own.':
    'Su empresa usa el modelo de esta instalación, {0}. Puede conectar uno propio.',
  'Your conversations': 'Sus conversaciones',
}
