// Holds Kubernetes objects (a JSON array on standard input) against the schemas of Kubernetes' own API, as the package
// kubernetes-models has them: types, required fields, values. These pass over fields that they don't know, so what they
// never look at is watched, too, and is a field that no such object has. Prints a JSON array of complaints.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const SCHEMAS = new URL('node_modules/kubernetes-models/_schemas/', import.meta.url).pathname;
const GROUPS = {
  'apps/v1': 'AppsV1',
  'autoscaling/v2': 'AutoscalingV2',
  'networking.k8s.io/v1': 'NetworkingV1',
  'policy/v1': 'PolicyV1',
  v1: 'CoreV1',
};

// The same object, whose fields remember that they were read.
function watched(value, path, seen, all) {
  if (value === null || typeof value !== 'object') return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) {
    const inner = `${path}/${key}`;
    if (!Array.isArray(value)) all.add(inner);
    copy[key] = watched(value[key], inner, seen, all);
  }
  return new Proxy(copy, {
    get(target, key) {
      if (typeof key === 'string') seen.add(`${path}/${key}`);
      return target[key];
    },
  });
}

function complaints(object) {
  const name = `${object.kind} ${object.metadata?.name}`;
  const group = GROUPS[object.apiVersion];
  if (!group) return [`${name}: no schema for ${object.apiVersion}`];
  let validate;
  try {
    ({ validate } = require(`${SCHEMAS}IoK8sApi${group}${object.kind}.js`));
  } catch {
    return [`${name}: ${object.apiVersion} has no ${object.kind}`];
  }
  const seen = new Set();
  const all = new Set();
  const found = [];
  if (!validate(watched(object, '', seen, all))) {
    for (const error of validate.errors) found.push(`${name}: ${error.instancePath}: ${error.keyword} ${JSON.stringify(error.params)}`);
  }
  for (const path of all) if (!seen.has(path)) found.push(`${name}: ${path} is no field of it`);
  return found;
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).flatMap(complaints)));
