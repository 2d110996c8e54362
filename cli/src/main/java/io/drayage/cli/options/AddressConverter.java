package io.drayage.cli.options;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an address that a user writes: {@code HOST:PORT}. */
public final class AddressConverter implements ITypeConverter<InetSocketAddress> {
  @Override
  public InetSocketAddress convert(String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        return new InetSocketAddress(
            text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
      }
    } catch (IllegalArgumentException e) {
      // The port is not a number.
    }
    throw new TypeConversionException(
        "'%s' is no address: write HOST:PORT, such as 127.0.0.1:7070".formatted(text));
  }
}
