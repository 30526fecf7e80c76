import { html, raw } from 'hono/html';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, type Html, prose } from '../../server/pages/html.ts';
import type { Text, View } from '../../server/pages/view.ts';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import ONEPAGER from './texts/onepager.json' with { type: 'json' };

/** An introduction to the service. */
export function onepager({ t, link, origin }: View): Page {
  return {
    title: ONEPAGER.title,
    summary: ONEPAGER.summary,
    styles: ['site.css'],
    intro: html`
      <p class="actions">
        <a class="button primary" href="${link('/')}">${t(ONEPAGER.toCheck)}</a>
        <a class="button" href="${link('/api-docs')}">${t(ONEPAGER.toDocs)}</a>
      </p>`,
    content: html`
      ${section('levels', t(ONEPAGER.levels), levels(t))}
      ${section('categories', t(ONEPAGER.categories), categories(t))}
      ${section('pipeline', t(ONEPAGER.pipeline), pipeline(t, origin))}
      ${section('limits', t(ONEPAGER.limits), html`<p>${t(ONEPAGER.limitsList)}</p>`)}
      ${section(
        'next',
        t(ONEPAGER.next),
        html`<ul class="plain">
          <li><a href="${link('/')}">${t(ONEPAGER.toCheck)}</a></li>
          <li><a href="${link('/console')}">${t(ONEPAGER.toConsole)}</a></li>
          <li><a href="${link('/api-docs')}">${t(ONEPAGER.toDocs)}</a></li>
        </ul>`,
      )}`,
  };
}

function section(id: string, title: string, content: Html): Html {
  return html`
      <section aria-labelledby="${id}">
        <h2 id="${id}">${title}</h2>
        ${content}
      </section>`;
}

function levels(t: View['t']): Html {
  return html`<p>${t(ONEPAGER.levelsIntro)}</p>
        <div class="columns levels">
          ${diagram(t)}
          <dl>
            <dt>${t(ONEPAGER.ruleLevel)}</dt>
            <dd>${t(ONEPAGER.ruleLevelText)}</dd>
            <dt>${t(ONEPAGER.modelLevel)}</dt>
            <dd>${t(ONEPAGER.modelLevelText)}</dd>
            <dt>${t(ONEPAGER.externalLevel)}</dt>
            <dd>${t(ONEPAGER.externalLevelText)}</dd>
            <dt>${t(ONEPAGER.result)}</dt>
            <dd>${t(ONEPAGER.resultText)}</dd>
          </dl>
        </div>`;
}

/** Boxes by their left edge, top and width; `optional` marks one that not every service has. */
const BOXES = [
  { x: 1, y: 1, width: 318, title: ONEPAGER.diagramReply },
  { x: 1, y: 106, width: 98, title: ONEPAGER.ruleLevel, detail: ONEPAGER.diagramRules },
  { x: 111, y: 106, width: 98, title: ONEPAGER.diagramModel, detail: ONEPAGER.diagramEmbedded },
  {
    x: 221,
    y: 106,
    width: 98,
    title: ONEPAGER.diagramModel,
    detail: ONEPAGER.diagramExternal,
    optional: true,
  },
  { x: 1, y: 227, width: 318, title: ONEPAGER.result, detail: ONEPAGER.diagramResult },
];

/** A narrow drawing that a phone shows in its full size. */
function diagram(t: View['t']): Html {
  const height = 56;
  return html`
          <svg class="diagram" role="img" aria-labelledby="diagram-title diagram-text"
            viewBox="0 0 320 284" width="320" height="284">
            <title id="diagram-title">${t(ONEPAGER.diagram)}</title>
            <desc id="diagram-text">${t(ONEPAGER.diagramText)}</desc>
            <path d="M160 57V98m-5-7 5 7 5-7M160 80H50V98m-5-7 5 7 5-7M50 162v20H160M160 162v57m-5-7 5 7 5-7"/>
            <text class="detail" x="215" y="73">${t(ONEPAGER.diagramOptional)}</text>
            <path class="optional" d="M160 80H270V98M270 162v20H160"/>
            <path d="m265 91 5 7 5-7"/>
            ${BOXES.map(({ x, y, width, title, detail, optional }) => {
              const middle = x + width / 2;
              return html`
            <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"${optional && raw(' class="optional"')}/>
            <text x="${middle}" y="${y + (detail ? 24 : 33)}">${t(title)}</text>
            ${detail && html`<text class="detail" x="${middle}" y="${y + 43}">${t(detail)}</text>`}`;
            })}
          </svg>`;
}

function categories(t: View['t']): Html {
  return html`<p>${t(ONEPAGER.categoriesIntro)}</p>
        <dl class="grid">
          ${Object.values(CATEGORIES).map(
            ({ name, effect }) => html`<div><dt>${t(name)}</dt><dd>${t(effect)}</dd></div>`,
          )}
        </dl>`;
}

function pipeline(t: View['t'], origin: string): Html {
  const environment = `MOP_DETECT_URL=${origin}`;
  const example = (id: string, title: Text, command: string) =>
    copyable(id, html`<h3 id="${id}-title">${t(title)}</h3>`, command, t);
  return html`<p>${prose(t(ONEPAGER.pipelineText))}</p>
        ${example('one', ONEPAGER.pipelineOne, `${environment} mop detect --fail-on high @reply.txt`)}
        ${example(
          'many',
          ONEPAGER.pipelineMany,
          `${environment} \\\n  mop detect --batch replies.jsonl --fail-on high \\\n  --junit detect.xml --sarif detect.sarif`,
        )}
        ${example('wait', ONEPAGER.pipelineWait, `${environment} mop health --wait 30`)}`;
}
