import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openapi } from "./ask_native.ts";

test("the description of the API is OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(await openapi());
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

test("the validator refuses a document that is not", async () => {
  const { valid } = await new Validator().validate({ ...(await openapi()), paths: { "no slash": {} } });
  expect(valid).toBe(false);
});
