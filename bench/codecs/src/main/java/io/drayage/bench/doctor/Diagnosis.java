package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.NativeCode;
import io.drayage.bench.environment.ProcFiles;
import io.drayage.bench.environment.Tools;
import io.drayage.bench.result.Result;
import io.drayage.bench.table.Table;
import io.drayage.internal.Counted;
import io.drayage.internal.TemporaryFolder;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.transport.netty.NativeIo;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The abilities of this machine, and whether throughput can run: native libraries, perf events,
 * links between hosts on one machine, the disk.
 *
 * @param findings in the order in which they are shown
 * @param ready whether throughput can run
 * @param verdict one line: whether it can, and how or why not
 */
public record Diagnosis(List<Finding> findings, boolean ready, String verdict) {
  private static final int MAX_CAUSE_LENGTH = 60;

  /** Up to this level, any user may sample the kernel as well; root always may. */
  private static final int MAX_PARANOID_FOR_KERNEL = 1;

  /** Enough bytes for a store to choose its way of writing. */
  private static final int OBJECT_MIB = 24;

  /** Examines this machine. Loads native libraries, and writes 24 MiB into a temporary file. */
  public static Diagnosis ofThisMachine() {
    String whyNotLoadable = NativeCode.whyNotLoadable();
    boolean root = "root".equals(System.getProperty("user.name"));
    boolean tc = Tools.isInstalled("tc");
    List<Finding> findings =
        List.of(
            loadable(whyNotLoadable),
            transport(
                "epoll",
                NativeIo.EPOLL.unavailabilityCause(),
                "netty and netty-epoll use it",
                "netty falls back to NIO, which is slower"),
            transport(
                "io_uring",
                NativeIo.IO_URING.unavailabilityCause(),
                "netty-io_uring can be measured",
                "netty-io_uring cannot be measured"),
            codec("lz4", "net.jpountz.lz4.LZ4Factory", "nativeInstance"),
            codec("zstd", "com.github.luben.zstd.util.Native", "load"),
            perfEvents(ProcFiles.line("/proc/sys/kernel/perf_event_paranoid"), root),
            kernelSymbols(ProcFiles.line("/proc/sys/kernel/kptr_restrict"), root),
            namespaces(Tools.isInstalled("ip"), root),
            Finding.of(
                "tc",
                tc,
                tc ? "found" : "not found",
                "links between them can be shaped",
                "links between them run unshaped"),
            snapshots());
    return of(
        findings, whyNotLoadable, NativeIo.best(), Runtime.getRuntime().availableProcessors());
  }

  static Diagnosis of(
      List<Finding> findings, @Nullable String whyNotLoadable, NativeIo io, int cores) {
    if (whyNotLoadable != null) {
      return new Diagnosis(findings, false, "not ready: native code: " + whyNotLoadable);
    }
    String over =
        switch (io) {
          case EPOLL -> "native epoll";
          case IO_URING -> "native io_uring";
          case NIO -> "NIO";
        };
    return new Diagnosis(
        findings,
        true,
        "ready: throughput runs over %s on %s".formatted(over, Counted.of(cores, "core")));
  }

  private static Finding loadable(@Nullable String whyNot) {
    return Finding.of(
        "native code",
        whyNot == null,
        "from " + System.getProperty("java.io.tmpdir"),
        "libraries unpack and load it there",
        String.valueOf(whyNot));
  }

  static Finding transport(String name, @Nullable Throwable cause, String ifPresent, String ifNot) {
    String value = cause == null ? "available" : shortCause(cause);
    return Finding.of(name, cause == null, value, ifPresent, ifNot);
  }

  /** Checks whether a compressor's native library loads; by name, without a dependency. */
  static Finding codec(String name, String className, String loader) {
    Throwable cause = null;
    try {
      Class.forName(className).getMethod(loader).invoke(null);
    } catch (InvocationTargetException e) {
      cause = e.getCause();
    } catch (ReflectiveOperationException | LinkageError e) {
      cause = e;
    }
    return Finding.of(
        name,
        cause == null,
        cause == null ? "native" : shortCause(cause),
        "runs at full speed",
        "systems with +" + name + " cannot run");
  }

  /** Returns the innermost reason, in one short line: outer ones only say that something failed. */
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

  static Finding perfEvents(@Nullable String paranoid, boolean root) {
    String what = "perf events";
    if (paranoid == null) {
      return new Finding(Mark.NO, what, "not there", "profiles use timers, without kernel frames");
    }
    String value = "perf_event_paranoid " + paranoid + (root ? ", root" : "");
    return root || Integer.parseInt(paranoid) <= MAX_PARANOID_FOR_KERNEL
        ? new Finding(Mark.OK, what, value, "cpu profiles show kernel frames")
        : new Finding(
            Mark.NOTE,
            what,
            value,
            "no kernel frames in profiles; sysctl kernel.perf_event_paranoid=1");
  }

  static Finding kernelSymbols(@Nullable String restrict, boolean root) {
    String what = "kernel symbols";
    if (restrict == null) {
      return new Finding(Mark.NO, what, "not there", "kernel frames have no names");
    }
    String value = "kptr_restrict " + restrict + (root ? ", root" : "");
    return restrict.equals("0") || (restrict.equals("1") && root)
        ? new Finding(Mark.OK, what, value, "kernel frames have names")
        : new Finding(
            Mark.NOTE, what, value, "kernel frames have no names; sysctl kernel.kptr_restrict=0");
  }

  static Finding namespaces(boolean ip, boolean root) {
    return Finding.of(
        "namespaces",
        ip && root,
        (ip ? "ip found" : "no ip command") + (root ? ", root" : ", not root"),
        "hosts can be made on this machine",
        ip ? "hosts on one machine need root" : "hosts on one machine need iproute2");
  }

  private static Finding snapshots() {
    String what = "snapshots";
    try {
      return new Finding(Mark.OK, what, howStored(), "how a store writes to the temporary folder");
    } catch (IOException e) {
      return new Finding(Mark.NO, what, shortCause(e), "cannot be stored in the temporary folder");
    }
  }

  private static String howStored() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.make("drayage-doctor-");
        FolderStore store = FolderStore.open(folder.path())) {
      try (ObjectUpload upload = store.begin("object")) {
        ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
        for (int i = 0; i < OBJECT_MIB; i++) {
          upload.write(piece.clear());
        }
        upload.complete();
      }
      return store.describeWriting();
    }
  }

  /** Makes a table with a row for each finding. */
  public Table table() {
    return Table.of("Doctor", findings)
        .text("", finding -> finding.mark().word())
        .text("what", Finding::what)
        .text("found", Finding::value)
        .text("means", Finding::meaning)
        .build();
  }

  /** Returns the result for JSON. */
  public Result<Finding> result() {
    return Result.of(Map.of(), findings, ready).with("ready", ready).with("verdict", verdict);
  }
}
