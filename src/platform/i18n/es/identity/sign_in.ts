import type { Texts } from '../../texts.ts'

export const sign_in: Texts = {
  'An app asks to be connected to your company. Sign in to decide.':
    'Una aplicación pide conectarse a su empresa. Inicie sesión para decidir.',
  'At least 12 characters': 'Al menos 12 caracteres',
  'Check both and try again.': 'Revise ambos e inténtelo de nuevo.',
  'Choose a company': 'Elija una empresa',
  'Choose a new password. Browsers signed in with this address are signed out, and its keys and connected apps stop working.':
    'Elija una contraseña nueva. Se cierran las sesiones de los navegadores con esta dirección, ' +
    'sus claves y sus aplicaciones conectadas.',
  Companies: 'Empresas',
  'Customers, visits, quotes and invoices of a field-service company. Your assistant works through {0} typed tools; you see every change it made, and by whom.':
    'Clientes, visitas, cotizaciones y facturas de una empresa de servicios a domicilio. ' +
    'Su asistente trabaja con {0} herramientas; usted ve cada cambio que hizo, y en nombre de quién.',
  'Field service': 'Servicios a domicilio',
  'Field service, shared with your assistant': 'Servicios a domicilio, compartidos con su asistente',
  'For your safety nothing was done. Callout is at {0}. Open it there and try again.':
    'Por su seguridad no se hizo nada. Callout está en {0}. Ábralo ahí e inténtelo de nuevo.',
  'How to connect': 'Cómo conectar',
  'If you sign in with this address already, {0}. Otherwise choose a password.':
    'Si ya inicia sesión con esta dirección, {0}. Si no, elija una contraseña.',
  Invitation: 'Invitación',
  'Try again in a moment. If it happens again, contact us with this reference: {0}':
    'Inténtelo de nuevo en un momento. Si vuelve a pasar, comuníquese con nosotros y dé esta referencia: {0}',
  'It may have been saved': 'Puede que se haya guardado',
  'It was used already, was withdrawn, or is older than two weeks. Ask for a new one.':
    'Ya se usó, se retiró o tiene más de dos semanas. Pida una nueva.',
  'Join the company': 'Unirse a la empresa',
  'Join {0}': 'Unirse a {0}',
  'No company yet': 'Todavía sin empresa',
  'Nothing was changed. Try again in a moment.': 'No se cambió nada. Inténtelo de nuevo en un momento.',
  'Open Callout': 'Abrir Callout',
  'Owner: everything': 'Propietario: todo',
  'Quote the lake house: a water heater, two hours of labor, ten percent off.':
    'Cotiza la casa del lago: un calentador de agua, dos horas de mano de obra, diez por ciento de descuento.',
  'Send it now': 'Enviar ahora',
  'sign in to accept': 'inicie sesión para aceptar',
  'Sign out, then open the link again.': 'Cierre la sesión y abra el enlace de nuevo.',
  'Signed in': 'Sesión iniciada',
  'Something went wrong': 'Algo salió mal',
  "That can't be done here": 'Eso no se puede hacer aquí',
  'The address for assistants': 'La dirección para asistentes',
  'The back office that people and assistants share': 'La oficina que comparten personas y asistentes',
  "We couldn't confirm it. Check before you try again. Reference: {0}.":
    'No pudimos confirmarlo. Revise antes de intentar de nuevo. Referencia: {0}.',
  'Incorrect email address or password': 'Correo o contraseña incorrectos',
  'The link may be old, or you may not have access to this company.':
    'El enlace puede ser viejo, o quizá usted no tiene acceso a esta empresa.',
  'Page not found': 'Página no encontrada',
  'This address answers other kinds of requests.': 'Esta dirección responde a otro tipo de solicitudes.',
  'This request came from another site': 'Esta solicitud vino de otro sitio',
  "This invitation can't be used": 'Esta invitación no se puede usar',
  'The service is busy': 'El servicio está ocupado',
  'Too many attempts': 'Demasiados intentos',
  'Wait a minute, then try again.': 'Espere un minuto e inténtelo de nuevo.',
  'Wait {0} minutes, then try again.': 'Espere {0} minutos e inténtelo de nuevo.',
  'What to ask for': 'Qué pedirle',
  'Your changes are still here.': 'Sus cambios siguen aquí.',
  'Which invoices are overdue, and who owes the most?': '¿Qué facturas están vencidas, y quién debe más?',
  'Who called from 0143? Book them for Thursday morning.':
    '¿Quién llamó del 0143? Agéndalo para el jueves en la mañana.',
  'You are signed in as {0}': 'Su sesión es la de {0}',
  "You don't belong to a company yet. Ask an owner to invite you.":
    'Todavía no pertenece a una empresa. Pida a un propietario que le envíe una invitación.',
  'Your name': 'Su nombre',
  'Your session has ended. Sign in again. Your changes are kept.':
    'Su sesión terminó. Inicie sesión de nuevo. Sus cambios se conservan.',
  '{0} is invited.': '{0} tiene una invitación.',
}
