package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;

/** The text of nodes: words, the first of which is a version; the last may have spaces. */
final class NodeText {
  private static final String VERSION = "1";

  private NodeText() {}

  /** Reads the text of the node at a path. */
  @FunctionalInterface
  interface Parser<T> {
    T parse(String path, byte[] data) throws CoordinationException;
  }

  static byte[] of(NodeInfo node) {
    return bytes("%s %s %s".formatted(VERSION, node.name(), node.address()));
  }

  static byte[] of(PrimaryInfo primary) {
    return bytes(
        String.format(
            Locale.ROOT,
            "%s %d %s %s",
            VERSION,
            primary.epoch(),
            primary.node().name(),
            primary.node().address()));
  }

  static byte[] of(PublishedSnapshot published) {
    return bytes(
        String.format(Locale.ROOT, "%s %d %d", VERSION, published.timestamp(), published.epoch()));
  }

  static byte[] ofEpoch(long epoch) {
    return bytes(String.format(Locale.ROOT, "%s %d", VERSION, epoch));
  }

  static byte[] of(Maintenance maintenance) {
    return bytes(
        String.format(
            Locale.ROOT,
            "%s %d %s %s %s",
            VERSION,
            maintenance.change(),
            maintenance.isOn() ? "on" : "off",
            maintenance.since(),
            maintenance.reason()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static NodeInfo node(String path, byte[] data) throws CoordinationException {
    return read(path, data, 3, words -> new NodeInfo(words[1], words[2]));
  }

  static PrimaryInfo primary(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        4,
        words -> new PrimaryInfo(new NodeInfo(words[2], words[3]), Long.parseLong(words[1])));
  }

  static PublishedSnapshot published(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        3,
        words -> new PublishedSnapshot(Long.parseLong(words[1]), Long.parseLong(words[2])));
  }

  static long epoch(String path, byte[] data) throws CoordinationException {
    return read(path, data, 2, words -> Long.parseLong(words[1]));
  }

  static Maintenance maintenance(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        5,
        words ->
            new Maintenance(
                Long.parseLong(words[1]),
                words[2].equals("on"),
                Instant.parse(words[3]),
                words[4]));
  }

  private interface Reading<T> {
    T apply(String[] words);
  }

  private static <T> T read(String path, byte[] data, int count, Reading<T> reading)
      throws CoordinationException {
    String text = new String(data, StandardCharsets.UTF_8);
    String[] words = text.split(" ", count);
    try {
      if (words.length == count && words[0].equals(VERSION)) {
        return reading.apply(words);
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new CoordinationException(unreadable(path, text), e);
    }
    throw new CoordinationException(unreadable(path, text), null);
  }

  private static String unreadable(String path, String text) {
    return "ZooKeeper's %s cannot be read: '%s'".formatted(path, text);
  }
}
