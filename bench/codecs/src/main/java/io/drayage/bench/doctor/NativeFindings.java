package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.NativeCode;
import io.drayage.transport.netty.NativeIo;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which native libraries load: Netty's transports and the compressors that are there. */
final class NativeFindings {
  private static final int MAX_CAUSE_LENGTH = 60;

  private NativeFindings() {}

  /** Loads the libraries. */
  static List<Finding> find() {
    return Stream.of(
            Optional.of(loadable(NativeCode.whyNotLoadable())),
            Optional.of(
                transport(
                    "epoll",
                    NativeIo.EPOLL.unavailabilityCause(),
                    "netty and netty-epoll use it",
                    "netty falls back to NIO, which is slower")),
            Optional.of(
                transport(
                    "io_uring",
                    NativeIo.IO_URING.unavailabilityCause(),
                    "netty-io_uring can be measured",
                    "netty-io_uring cannot be measured")),
            codec("lz4", "net.jpountz.lz4.LZ4Factory", "nativeInstance"),
            codec("zstd", "com.github.luben.zstd.util.Native", "load"))
        .flatMap(Optional::stream)
        .toList();
  }

  static Finding loadable(@Nullable String whyNot) {
    String folder = System.getProperty("java.io.tmpdir");
    return Finding.required(
        whyNot == null ? Mark.OK : Mark.NO,
        "native code",
        "from " + folder,
        whyNot == null ? "libraries unpack and load it there" : whyNot);
  }

  static Finding transport(String name, @Nullable Throwable cause, String ifPresent, String ifNot) {
    String value = cause == null ? "available" : shortCause(cause);
    return Finding.optional(name, cause == null, value, ifPresent, ifNot);
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
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      String meaning = "systems with +" + name + " cannot run";
      return Optional.of(Finding.of(Mark.NO, name, shortCause(cause), meaning));
    }
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
