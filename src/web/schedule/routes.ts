import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { showBoard, showPart } from './board/board.ts'
import { checkMove } from './check_move.ts'
import { streamChanges } from './events.ts'
import { move, showMove } from './move.ts'
import { approvePlan } from './plan/approve.ts'
import { chooseOff } from './plan/choose_off.ts'
import { fitIn, showFitIn } from './plan/fit_in.ts'
import { showPlan } from './plan/plan_page.ts'
import { showTile, showTileArea } from './map/streets.ts'
import { printDay } from './print_day.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/schedule'
const JOB = '/:job{[0-9a-f-]{36}}'

/**
 * Returns the pages of the schedule: the board and its fragment, the actions that change it, the form that moves a
 * visit, and the map tiles.
 */
export const scheduleRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [HERE]: { get: showBoard },
    [`${HERE}/board`]: { get: showPart },
    [`${HERE}/print`]: { get: printDay },
    [`${HERE}/check${JOB}`]: { get: checkMove },
    [`${HERE}/plan`]: { get: showPlan, post: approvePlan },
    [`${HERE}/off`]: { get: chooseOff },
    [`${HERE}/fit${JOB}`]: { get: showFitIn, post: fitIn },
    [`${HERE}/tiles`]: { get: showTileArea },
    [`${HERE}/tiles/:z{[0-9]{1,2}}/:x{[0-9]{1,7}}/:y{[0-9]{1,7}}`]: { get: showTile },
    [`${HERE}/events`]: { get: streamChanges },
    [`${HERE}/move${JOB}`]: { get: showMove, post: move },
  })
