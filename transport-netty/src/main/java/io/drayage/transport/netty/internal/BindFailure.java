package io.drayage.transport.netty.internal;

import io.drayage.transport.HostPort;
import java.net.BindException;
import java.net.InetSocketAddress;

/** Explains why nobody can listen at an address, and what to do. */
public final class BindFailure {
  private BindFailure() {}

  /** Returns the exception for a listener that {@code cause} kept from {@code address}. */
  public static BindException of(InetSocketAddress address, Throwable cause) {
    BindException failure =
        new BindException(
            "cannot listen at %s: %s".formatted(HostPort.text(address), reason(address, cause)));
    failure.initCause(cause);
    return failure;
  }

  /** Returns the reason, without the call and error number that native transports add. */
  private static String reason(InetSocketAddress address, Throwable cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    if (address.isUnresolved()) {
      return "this host is unknown: name one of this machine";
    } else if (message.contains("Address already in use")) {
      return "the port is in use: name another one, or stop the process that uses it";
    } else if (message.contains("Cannot assign requested address")) {
      return "this host has no such address: name one of this host";
    }
    return message;
  }
}
