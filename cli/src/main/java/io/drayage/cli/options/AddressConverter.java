package io.drayage.cli.options;

import io.drayage.transport.HostPort;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an address that a user writes: {@code HOST:PORT}. */
public final class AddressConverter implements ITypeConverter<InetSocketAddress> {
  @Override
  public InetSocketAddress convert(String text) {
    try {
      return HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "'%s' is no address: write HOST:PORT, such as 127.0.0.1:7070".formatted(text));
    }
  }
}
