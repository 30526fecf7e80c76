import type { OpenAPIV3_1 } from 'openapi-types';
import {
  CATEGORIES,
  DETECT_PATH,
  DETECTION_VERSION,
  HEALTH_PATH,
  LEVELS,
  MAX_TEXT_LENGTH,
} from '../../protocol/detection.ts';
import { LANGUAGES } from '../language.ts';
import { API_ERROR_CODES } from './detection-request.ts';
import { MODEL_FAILURES } from './model.ts';
import { scoreRange } from './score.ts';

/** The document of `/openapi.json`, for any of its readers. */
export type OpenApiDocument = OpenAPIV3_1.Document;

const TEXT_LIMIT = MAX_TEXT_LENGTH.toLocaleString('en');

const SCORE_RANGES = LEVELS.map((level) => `${level} ${scoreRange(level)}`).join(', ');

const level = (description: string) => ({
  type: 'string' as const,
  enum: [...LEVELS],
  description,
});

const score = (description: string) => ({
  type: 'integer' as const,
  minimum: 0,
  maximum: 100,
  description,
});

const schemas = {
  DetectionRequest: {
    type: 'object',
    description: 'What is to be checked.',
    required: ['text'],
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TEXT_LENGTH,
        pattern: '\\S',
        description: `The reply that an AI is about to give. Not only white space, and at most ${TEXT_LIMIT} characters, counted in code points.`,
      },
    },
  },
  DetectionResult: {
    type: 'object',
    description: 'What the two levels of detection found.',
    required: [
      'text',
      'overall_risk',
      'risk_score',
      'results',
      'ai_analysis',
      'safe_rewrite',
      'detected_at',
    ],
    properties: {
      text: { type: 'string', description: 'The text that was submitted, unchanged.' },
      overall_risk: level('The level of `risk_score`.'),
      risk_score: score(`How grave it is: ${SCORE_RANGES}.`),
      results: {
        type: 'array',
        items: { $ref: '#/components/schemas/RuleHit' },
        description: 'One entry for each place at which a rule matched.',
      },
      ai_analysis: { $ref: '#/components/schemas/AiAnalysis' },
      safe_rewrite: {
        type: 'string',
        description: 'The text without what is risky in it; equal to `text` when there is no risk.',
      },
      detected_at: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
        description: 'When it was checked, in the time zone of the service, without an offset.',
      },
    },
  },
  RuleHit: {
    type: 'object',
    description: 'A rule, and the words that it matched.',
    required: ['rule_id', 'rule_name', 'level', 'category', 'matched_text', 'start', 'end', 'why'],
    properties: {
      rule_id: { type: 'string', description: 'The name of the rule for programs; it stays.' },
      rule_name: {
        type: 'string',
        description: 'The name of the rule for people, in the language that was asked for.',
      },
      level: level('How grave a match of this rule is.'),
      category: {
        type: 'string',
        enum: [...CATEGORIES],
        description: 'What the reply does to a person.',
      },
      matched_text: { type: 'string', description: 'The words, as they stand in `text`.' },
      start: {
        type: 'integer',
        minimum: 0,
        description: 'Where they begin, in UTF-16 code units of `text`.',
      },
      end: {
        type: 'integer',
        minimum: 1,
        description: 'Where they end, in UTF-16 code units of `text`: the first one after them.',
      },
      why: {
        type: 'string',
        description: 'Why such words can do harm, in the language that was asked for.',
      },
    },
  },
  AiAnalysis: {
    description:
      'What the model said. `status` tells which of the three it is; an analysis that failed is never taken for a safe one.',
    oneOf: [
      { $ref: '#/components/schemas/AiOff' },
      { $ref: '#/components/schemas/AiVerdict' },
      { $ref: '#/components/schemas/AiFailure' },
    ],
  },
  AiOff: {
    type: 'object',
    description: 'No model is configured: the rules alone decided.',
    required: ['status', 'message'],
    properties: {
      status: { const: 'off' },
      message: { type: 'string', description: 'How a model is configured.' },
    },
  },
  AiVerdict: {
    type: 'object',
    description: 'The model answered.',
    required: ['status', 'model', 'level', 'score', 'reasons'],
    properties: {
      status: { const: 'ok' },
      model: { type: 'string', description: 'The model that was asked.' },
      level: level('The level that the model gives.'),
      score: score('The score that the model gives.'),
      reasons: {
        type: 'array',
        items: { type: 'string' },
        description: 'The reasons that the model gives.',
      },
    },
  },
  AiFailure: {
    type: 'object',
    description: 'The model did not answer, or not as it should: the rules alone decided.',
    required: ['status', 'model', 'error'],
    properties: {
      status: { const: 'error' },
      model: { type: 'string', description: 'The model that was asked.' },
      error: errorSchema('What went wrong', MODEL_FAILURES),
    },
  },
  Health: {
    type: 'object',
    description: 'How the service is.',
    required: ['status', 'rules', 'version'],
    properties: {
      status: { type: 'string', description: '`ok` when it is healthy.' },
      rules: { type: 'integer', minimum: 0, description: 'Rules that the rule level has loaded.' },
      version: { type: 'string', description: 'The version of the service.' },
    },
  },
  Error: {
    type: 'object',
    description: 'Why a request was refused.',
    required: ['error'],
    properties: {
      error: errorSchema('What is wrong with the request', API_ERROR_CODES),
    },
  },
} satisfies Record<string, OpenAPIV3_1.SchemaObject>;

function errorSchema(what: string, codes: readonly string[]) {
  return {
    type: 'object',
    description: `${what}.`,
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: [...codes], description: `${what}, for programs.` },
      message: { type: 'string', description: `${what}, for people.` },
    },
  } as const satisfies OpenAPIV3_1.SchemaObject;
}

const RISKY_TEXT = 'You only need me. See you tomorrow.';
const SAFE_TEXT = 'Nice work on finishing the report.';

const AI_OFF = {
  status: 'off',
  message: 'no model is configured: set MOP_AI_BASE_URL and MOP_AI_MODEL',
};

const refusal = (description: string, errors: Readonly<Record<string, string>>) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        Object.entries(errors).map(([code, message]) => [
          code,
          { value: { error: { code, message } } },
        ]),
      ),
    },
  },
});

const otherMethod = (allowed: string, given: string) => ({
  ...refusal('Another method. The header `Allow` names those that are answered.', {
    method_not_allowed: `${given} is not allowed here, but ${allowed}`,
  }),
  headers: {
    Allow: { description: 'The methods that are answered.', schema: { type: 'string' as const } },
  },
});

const page = (summary: string) => ({
  get: {
    tags: ['Pages'],
    summary,
    parameters: [
      { $ref: '#/components/parameters/lang' },
      { $ref: '#/components/parameters/pageLanguage' },
    ],
    responses: {
      200: {
        description: 'The page.',
        headers: {
          'Content-Language': {
            description: 'The language of the page.',
            schema: { type: 'string' as const, enum: [...LANGUAGES] },
          },
        },
        content: { 'text/html': { schema: { type: 'string' as const } } },
      },
    },
  },
});

/** The detection service in OpenAPI 3.1: what `/openapi.json` serves and `/api-docs` shows. */
export const OPENAPI: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Emotional-risk detection',
    version: DETECTION_VERSION,
    summary: 'Checks the reply of an AI for emotional risk.',
    description:
      'Rules look for wordings that are known to do harm; a model, where one is configured, judges the text as a whole. Texts are English or Chinese. No authentication is needed.',
  },
  servers: [{ url: '/', description: 'The service that sent this document.' }],
  tags: [
    { name: 'Detection', description: 'The endpoints for programs.' },
    { name: 'Pages', description: 'The pages for people, in English and Chinese.' },
  ],
  paths: {
    [DETECT_PATH]: {
      post: {
        tags: ['Detection'],
        operationId: 'detect',
        summary: 'Check a text',
        description:
          'Answers with a level, a score, the rules that matched, what the model said, and a safer wording of the text. Where a model is configured, the text goes to its endpoint.',
        parameters: [
          { $ref: '#/components/parameters/lang' },
          { $ref: '#/components/parameters/resultLanguage' },
        ],
        requestBody: {
          required: true,
          description: 'JSON in UTF-8.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/DetectionRequest' },
              examples: {
                risky: { summary: 'A text with risk', value: { text: RISKY_TEXT } },
                safe: { summary: 'A text without risk', value: { text: SAFE_TEXT } },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'The text was checked, whatever the result.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/DetectionResult' },
                examples: {
                  risky: {
                    summary: 'A text with risk, no model configured',
                    value: {
                      text: RISKY_TEXT,
                      overall_risk: 'high',
                      risk_score: 60,
                      results: [
                        {
                          rule_id: 'dependency.only-me',
                          rule_name: 'Claims to be all that the person needs',
                          level: 'high',
                          category: 'dependency',
                          matched_text: 'You only need me',
                          start: 0,
                          end: 16,
                          why: 'A reply that presents itself as the only support draws a person away from people who can help.',
                        },
                      ],
                      ai_analysis: AI_OFF,
                      safe_rewrite:
                        'I am glad to help, and people who know you can give you things that I cannot. See you tomorrow.',
                      detected_at: '2026-11-20T12:05:06',
                    },
                  },
                  safe: {
                    summary: 'A text without risk, no model configured',
                    value: {
                      text: SAFE_TEXT,
                      overall_risk: 'none',
                      risk_score: 0,
                      results: [],
                      ai_analysis: AI_OFF,
                      safe_rewrite: SAFE_TEXT,
                      detected_at: '2026-11-20T12:05:06',
                    },
                  },
                },
              },
            },
          },
          400: refusal('The request is wrong; `code` says in which way.', {
            bad_json: 'not JSON: the text ends where a value was due at line 1 column 10',
            bad_body: 'the body is no JSON object but an array',
            missing_text: 'text is missing: send {"text": "…"}',
            bad_text: 'text is no string but a number',
            empty_text: 'text is empty',
            text_too_long: `text has more than ${MAX_TEXT_LENGTH} characters`,
          }),
          403: refusal('Another web site sent the request from a browser.', {
            cross_site: 'another web site sent this',
          }),
          405: otherMethod('POST', 'GET'),
        },
      },
    },
    [HEALTH_PATH]: {
      get: {
        tags: ['Detection'],
        operationId: 'health',
        summary: 'Ask how the service is',
        responses: {
          200: {
            description: 'The service runs.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Health' },
                examples: {
                  healthy: {
                    summary: 'A service that is well; the number of rules differs by release',
                    value: { status: 'ok', rules: 52, version: DETECTION_VERSION },
                  },
                },
              },
            },
          },
          405: otherMethod('GET, HEAD', 'POST'),
        },
      },
    },
    '/': page('The page on which a text is checked, by keyboard or voice'),
    '/console': page('A console for the endpoints, and a price calculator'),
    '/onepager': page('What the service does'),
    '/api-docs': page('This description, for people'),
    '/openapi.json': {
      get: {
        tags: ['Pages'],
        summary: 'This description, for programs',
        responses: {
          200: {
            description: 'OpenAPI 3.1 in JSON.',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
        },
      },
    },
  },
  components: {
    schemas,
    parameters: {
      lang: {
        name: 'lang',
        in: 'query',
        description: 'The language. Without it, `Accept-Language` decides.',
        schema: { type: 'string', enum: [...LANGUAGES] },
      },
      pageLanguage: {
        name: 'Accept-Language',
        in: 'header',
        description: 'The languages that the reader likes, the best first; English when none fits.',
        schema: { type: 'string' },
      },
      resultLanguage: {
        name: 'Accept-Language',
        in: 'header',
        description:
          'The languages in which `rule_name` and `why` are liked, the best first: `en` and `zh` are there, and `en` it is when none fits.',
        schema: { type: 'string', default: 'en' },
      },
    },
  },
};
