package io.drayage.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a percentage that a user writes, with or without its sign: {@code 5} or {@code 5%}. */
public final class PercentConverter implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    try {
      return Double.valueOf(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'%s' is no percentage: write 5, 0.5 or 5%%".formatted(text));
    }
  }
}
