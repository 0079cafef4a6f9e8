import {
  findEquipment,
  findEquipmentLocation,
  listPastWork,
  listLocationPhotos,
  equipmentLabel,
  removeEquipment,
  saveEquipment,
  type Equipment,
  type EquipmentForm,
} from '../../mobile/equipment/equipment.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { checkboxes, field, hidden, textArea } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { moment } from '../../records/format/formats.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { refusalNotice } from '../refusal_notice.ts'
import type { Site } from '../site.ts'
import { mayRecordEquipment } from './equipment_part.ts'
import { toAuthor } from './job_context.ts'

/** Shows a device with its photos and the work done at its location, or the form of a new one. */
export async function showEquipment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:customers')) throw notFoundRefusal()
  return page(context, await openDevice(context, request))
}

/** Saves or removes a device. */
export async function changeEquipment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const opened = await openDevice(context, request)
  const { place, device } = opened
  const sent = await readFormFields(request.req.raw)
  const form = readForm(sent, context.may('read:jobs'))
  try {
    await context.write(async (db) => {
      if (!mayRecordEquipment(context)) throw notFoundRefusal()
      if (device !== null && sent.has('remove')) return removeEquipment(db, toAuthor(context), device)
      await saveEquipment(db, toAuthor(context), place.id, form, { id: device?.id ?? newId(), isNew: device === null })
    })
    return redirectWithMessage(context.path('customers', place.customer_id), {
      sentence: sent.has('remove') ? say`Removed` : say`Saved`,
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return page(context, opened, { form, refusal: error })
  }
}

const readForm = (sent: URLSearchParams, maySeePhotos: boolean): EquipmentForm => ({
  kind: sent.get('kind') ?? '',
  model: sent.get('model') ?? '',
  serial: sent.get('serial') ?? '',
  installed_on: sent.get('installed_on') ?? '',
  note: sent.get('note') ?? '',
  photo_ids: maySeePhotos ? sent.getAll('photos') : null,
})

type OpenedDevice = Awaited<ReturnType<typeof openDevice>>

/** Returns the device in the path, or the location of a new one. */
async function openDevice(context: MemberContext, { req }: PageRequest) {
  const [id, location = ''] = [req.param('id'), req.param('location')]
  return context.read(async (db) => {
    const device = id === undefined ? null : await findEquipment(db, id)
    const locationId = device?.location_id ?? location
    const maySeeJobs = context.may('read:jobs')
    const [serviceLocation, photos, work] = await Promise.all([
      findEquipmentLocation(db, locationId),
      maySeeJobs ? listLocationPhotos(db, locationId, device?.photo_ids) : [],
      maySeeJobs ? listPastWork(db, locationId) : [],
    ])
    return { device, place: serviceLocation, photos, work }
  })
}

const EMPTY_FORM: EquipmentForm = { kind: '', model: '', serial: '', installed_on: '', note: '', photo_ids: [] }

const formOf = ({ kind, model, serial, installed_on, note, photo_ids }: Equipment): EquipmentForm => ({
  kind,
  model: model ?? '',
  serial: serial ?? '',
  installed_on: installed_on ?? '',
  note: note ?? '',
  photo_ids,
})

function page(
  context: MemberContext,
  opened: OpenedDevice,
  failure?: { form: EquipmentForm; refusal: Refusal },
): Response {
  const { device, place } = opened
  const customer = context.path('customers', place.customer_id)
  const address = localAddress(place.address, context.company.country)
  const form = failure?.form ?? (device === null ? EMPTY_FORM : formOf(device))
  return pageResponse(
    frame(context, {
      title: device === null ? say`Add equipment` : equipmentLabel(device),
      here: context.path('customers'),
      width: 'narrow',
      styles: ['paperwork.css'],
      body: html`
<section class="ticket">
  <p class="eyebrow"><a href="${customer}">${place.customer_name}</a> · ${address}</p>
  <h1>${device === null ? say`Add equipment` : equipmentLabel(device)}</h1>${when(failure, ({ refusal }) =>
    refusalNotice(refusal),
  )}
  ${photosHtml(context, opened)}${mayRecordEquipment(context) ? formHtml(context, opened, form) : ''}${workHtml(context, opened)}
</section>`,
    }),
    { status: failure === undefined ? 200 : statusOf(failure.refusal) },
  )
}

const formHtml = (context: MemberContext, { device, place, photos }: OpenedDevice, form: EquipmentForm): Html => html`
  <form class="form" method="post" action="${
    device === null ? context.path('locations', place.id, 'equipment') : context.path('equipment', device.id)
  }">
    ${field({ name: 'kind', label: say`Kind`, value: form.kind, isRequired: true, help: say`Such as water heater` })}
    ${field({ name: 'model', label: say`Model`, value: form.model })}
    ${field({ name: 'serial', label: say`Serial number`, value: form.serial })}
    ${field({ name: 'installed_on', label: say`Installed on`, value: form.installed_on, type: 'date' })}
    ${textArea({ name: 'note', label: say`Note`, value: form.note })}${when(photos.length > 0, () =>
      checkboxes({
        name: 'photos',
        label: say`Photos of it`,
        options: photos.map(({ id, name, at }) => ({
          value: id,
          label: `${name}, ${moment(at, context.company.timezone)}`,
        })),
        chosen: form.photo_ids ?? [],
      }),
    )}
    <p class="actions">${button({ label: say`Save`, kind: 'main' })}${linkButton(
      say`Cancel`,
      context.path('customers', place.customer_id),
      'quiet',
    )}</p>
  </form>${when(
    device,
    ({ id }) => html`
  <details class="fold"><summary class="button">${say`Remove`}</summary>
  <form method="post" action="${context.path('equipment', id)}">${hidden('remove', 'yes')}
    <p>${say`It can't be restored.`}</p>
    <p class="actions">${button({ label: say`Remove`, kind: 'danger' })}</p>
  </form></details>`,
  )}`

const photosHtml = (context: MemberContext, { device, photos }: OpenedDevice): Html | '' => {
  const chosen = photos.filter(({ id }) => device?.photo_ids.includes(id) === true)
  return when(
    chosen.length > 0,
    () => html`
  <ul class="media">${chosen.map(({ id, job_id, name }) => {
    const mediaPath = context.path('jobs', job_id, 'media', id)
    return html`
    <li><a class="picture" href="${mediaPath}"><img src="${mediaPath}" alt="${name}" loading="lazy" decoding="async" width="240"
      height="180"></a></li>`
  })}
  </ul>`,
  )
}

const workHtml = (context: MemberContext, { work }: OpenedDevice): Html | '' =>
  when(
    work.length > 0,
    () => html`
  <h2>${say`Work done here`}</h2>
  <ul>${work.map(
    ({ id, title, completed_at }) => html`
    <li><a href="${context.path('jobs', id)}">${title}</a> <span class="help">${moment(
      completed_at,
      context.company.timezone,
    )}</span></li>`,
  )}
  </ul>`,
  )
