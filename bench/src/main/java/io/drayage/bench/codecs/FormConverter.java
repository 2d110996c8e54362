package io.drayage.bench.codecs;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a form as a user writes it. */
final class FormConverter implements ITypeConverter<Form> {
  @Override
  public Form convert(String text) {
    for (Form form : new Form[] {Form.STREAM, Form.SEGMENTS}) {
      if (form.toString().equals(text)) {
        return form;
      }
    }
    throw new TypeConversionException(
        "'%s' is no form: choose %s or %s".formatted(text, Form.STREAM, Form.SEGMENTS));
  }
}
