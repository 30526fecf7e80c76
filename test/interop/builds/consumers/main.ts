import { exercise } from './exercise.js';

exercise().then((result) => console.log(JSON.stringify(result)));
