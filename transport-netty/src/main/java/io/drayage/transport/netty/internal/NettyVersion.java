package io.drayage.transport.netty.internal;

import io.drayage.internal.Slf4j;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of Netty on the class path. Many other libraries and their BOMs bring 4.1, which
 * lacks classes that the transport uses.
 */
public final class NettyVersion {
  private static final String NEEDED = "4.2";
  private static final Pattern VERSION = Pattern.compile("(\\d{1,5})\\.(\\d{1,5})\\..*");
  private static final int MAJOR = 4;
  private static final int MINOR = 2;

  /** Resource in which each jar of Netty states its version. */
  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  private static final List<String> ARTIFACTS =
      List.of(
          "netty-common",
          "netty-buffer",
          "netty-resolver",
          "netty-transport",
          "netty-transport-native-unix-common",
          "netty-transport-classes-epoll",
          "netty-transport-classes-io_uring",
          "netty-codec-base",
          "netty-codec",
          "netty-handler");

  /** Classes of 4.2. Jars that were merged into another one do not state their versions. */
  private static final List<String> CLASSES =
      List.of(
          "io.netty.channel.IoHandlerFactory",
          "io.netty.channel.MultiThreadIoEventLoopGroup",
          "io.netty.channel.epoll.EpollIoHandler");

  private NettyVersion() {}

  /**
   * Refuses a Netty that is too old.
   *
   * @throws IllegalStateException that names the found version, the needed version, and the remedy
   */
  public static void require() {
    Slf4j.prepare();
    if (!Checked.OUTDATED.isEmpty()) {
      throw new IllegalStateException(Checked.OUTDATED);
    }
  }

  private static final class Checked {
    /** The reason of a refusal; empty if there is none. */
    static final String OUTDATED = outdated(NettyVersion.class.getClassLoader());

    private Checked() {}
  }

  private static String outdated(ClassLoader loader) {
    try {
      for (URL url : Collections.list(loader.getResources(VERSIONS))) {
        Properties versions = new Properties();
        try (InputStream in = url.openStream()) {
          versions.load(in);
        }
        for (String artifact : ARTIFACTS) {
          String version = versions.getProperty(artifact + ".version", "");
          if (isOlder(version)) {
            return message(artifact + " " + version, url.toString());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the versions of Netty cannot be read: " + e.getMessage(), e);
    }
    for (String name : CLASSES) {
      try {
        Class.forName(name, false, loader);
      } catch (ClassNotFoundException | LinkageError e) {
        if (NettyVersion.class.getModule().isNamed()) {
          return "there is no %s: a JVM with Drayage on its module path needs --add-modules ALL-MODULE-PATH"
              .formatted(name);
        }
        return message("a Netty without " + name, "the class path");
      }
    }
    return "";
  }

  private static boolean isOlder(String version) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.matches()) {
      return false;
    }
    int major = Integer.parseInt(parts.group(1));
    return major < MAJOR || (major == MAJOR && Integer.parseInt(parts.group(2)) < MINOR);
  }

  private static String message(String found, String where) {
    return ("%s was found, but Drayage needs Netty %s (in %s): import io.drayage:drayage-bom before"
            + " the BOM that brings the other one, or give io.netty:netty-bom a %s version there")
        .formatted(found, NEEDED, where, NEEDED);
  }
}
