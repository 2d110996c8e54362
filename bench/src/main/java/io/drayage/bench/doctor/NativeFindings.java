package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.transport.netty.NativeIo;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which native libraries load: Netty's transports and the compressors that are there. */
final class NativeFindings {
  private static final int MAX_CAUSE_LENGTH = 60;

  private NativeFindings() {}

  /** Loads the libraries. */
  static List<Finding> find() {
    List<Finding> findings = new ArrayList<>();
    findings.add(epoll(NativeIo.EPOLL.unavailabilityCause()));
    findings.add(ioUring(NativeIo.IO_URING.unavailabilityCause()));
    codec("lz4", "net.jpountz.lz4.LZ4Factory", "nativeInstance").ifPresent(findings::add);
    codec("zstd", "com.github.luben.zstd.util.Native", "load").ifPresent(findings::add);
    return findings;
  }

  static Finding epoll(@Nullable Throwable cause) {
    return Finding.optional(
        "epoll",
        cause == null,
        available(cause),
        "netty and netty-epoll use it",
        "netty falls back to NIO, which is slower");
  }

  static Finding ioUring(@Nullable Throwable cause) {
    return Finding.optional(
        "io_uring",
        cause == null,
        available(cause),
        "netty-io_uring can be measured",
        "netty-io_uring cannot be measured");
  }

  /**
   * Whether a compressor's native library loads; nothing if the compressor is not there at all. By
   * name, since it need not be.
   */
  static Optional<Finding> codec(String name, String className, String loader) {
    try {
      Class.forName(className).getMethod(loader).invoke(null);
      return Optional.of(Finding.of(Mark.OK, name, "native", "runs at full speed"));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return Optional.of(noCodec(name, e.getCause()));
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.of(noCodec(name, e));
    }
  }

  private static Finding noCodec(String name, Throwable cause) {
    return Finding.of(Mark.NO, name, shortCause(cause), "systems with +" + name + " cannot run");
  }

  private static String available(@Nullable Throwable cause) {
    return cause == null ? "available" : shortCause(cause);
  }

  /** The innermost reason, in one short line: outer ones only say that something failed. */
  static String shortCause(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null && innermost.getCause() != innermost) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    String line =
        message == null || message.isBlank()
            ? innermost.getClass().getSimpleName()
            : message.lines().findFirst().orElse("").strip();
    return line.length() <= MAX_CAUSE_LENGTH
        ? line
        : line.substring(0, MAX_CAUSE_LENGTH - 3) + "...";
  }
}
