import type { Texts } from '../../texts.ts'

/** Texts about notifications, and about installing the mobile app. */
export const notifications: Texts = {
  'A quote was accepted': 'Aceptaron una cotización',
  'A technician is running late': 'Un técnico va con retraso',
  'Accepted quotes': 'Cotizaciones aceptadas',
  'Get a notification in this browser, even when no page of Callout is open.':
    'Reciba avisos en este navegador, aunque no tenga abierta ninguna página de Callout.',
  'Get a notification when a visit of yours changes.': 'Reciba un aviso cuando cambie una de sus visitas.',
  Install: 'Instalar',
  'It opens like an app, with or without a signal.': 'Se abre como una app, con o sin señal.',
  'My visits: new, moved, changed or canceled': 'Mis visitas: nuevas, movidas, cambiadas o canceladas',
  'New message from a customer': 'Mensaje nuevo de un cliente',
  'New messages from customers': 'Mensajes nuevos de clientes',
  Notifications: 'Avisos',
  'Notifications are blocked in this browser. Allow them in its settings for this site.':
    'Los avisos están bloqueados en este navegador. Permítalos en su configuración para este sitio.',
  'Notifications are off for this service.': 'Los avisos están desactivados en este servicio.',
  'Notifications are off for this service. Its administrator can turn them on.':
    'Los avisos están desactivados en este servicio. Su administrador puede activarlos.',
  'Notifications are off.': 'Los avisos están desactivados.',
  'Notifications are on.': 'Los avisos están activados.',
  'Notifications need JavaScript, which is off in this browser.':
    'Los avisos necesitan JavaScript, que está desactivado en este navegador.',
  'Notify me of': 'Avisarme de',
  'On iPhone and iPad, first put My visits on your home screen, and turn notifications on there.':
    'En iPhone y iPad, ponga primero Mis visitas en la pantalla de inicio y active los avisos allí.',
  'Open the menu with the three dots, then tap Add app to Home screen.':
    'Abra el menú de los tres puntos y toque Agregar app a la pantalla de inicio.',
  'Open the menu with the three dots, then tap Add to Home screen, and Install.':
    'Abra el menú de los tres puntos y toque Agregar a la pantalla principal y luego Instalar.',
  'Open the menu with the three lines, then tap Add page to, and Home screen.':
    'Abra el menú de las tres líneas y toque Agregar página a y luego Pantalla de inicio.',
  'Put My visits on your home screen': 'Ponga Mis visitas en su pantalla de inicio',
  'Tap Share next to the address, then Add to Home Screen.':
    'Toque Compartir junto a la dirección y luego Agregar a inicio.',
  'Tap Share, then Add to Home Screen. On newer iPhones, Share is behind the three dots.':
    'Toque Compartir y luego Agregar a inicio. En los iPhone más nuevos, Compartir está en los tres puntos.',
  'Technicians who run late': 'Técnicos que van con retraso',
  'This browser doesn’t support notifications. Try another one, or an https connection.':
    'Este navegador no tiene avisos. Pruebe con otro, o con una conexión https.',
  'This browser may delete unsent work when the phone is full or the page goes unused.':
    'Este navegador puede borrar el trabajo sin enviar si el teléfono se llena o la página deja de usarse.',
  'This couldn’t be changed. Try again with a connection.': 'No se pudo cambiar. Inténtelo de nuevo con conexión.',
  'This phone keeps your visits and unsent work.': 'Este teléfono conserva sus visitas y el trabajo sin enviar.',
  'Turn off': 'Desactivar',
  'Turn off notifications': 'Desactivar avisos',
  'Turn on': 'Activar',
  'Turn on notifications': 'Activar avisos',
  'You don’t have permission to be notified of this.': 'No tiene permiso para recibir avisos de esto.',
  'Your browsers': 'Sus navegadores',
  'Your visits changed': 'Cambiaron sus visitas',
}
