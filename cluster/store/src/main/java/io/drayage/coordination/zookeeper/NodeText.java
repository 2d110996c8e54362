package io.drayage.coordination.zookeeper;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The format of the text of nodes: a version, then words. The last word may contain spaces. */
final class NodeText {
  private static final String VERSION = "1";

  private NodeText() {}

  /** Reads the text of the node at a path. */
  interface Parser<T> {
    T parse(String path, byte[] data) throws CoordinationException;
  }

  static byte[] of(NodeInfo node, NodeProgress progress) {
    return bytes(
        format(
            "%s %s %s %d %d %s %d %d %d %s %s %s",
            VERSION,
            node.name(),
            node.address(),
            progress.loaded(),
            progress.epoch(),
            String.join(",", new TreeSet<>(node.codecs())),
            progress.databaseBytes(),
            progress.maxDatabaseBytes(),
            progress.fragmentBytes(),
            word(progress.failure()),
            word(progress.storeFailure()),
            progress.store()));
  }

  /** Returns a reason as one word, which is empty without a reason. */
  private static String word(@Nullable String reason) {
    return reason == null ? "" : URLEncoder.encode(Names.printable(reason), StandardCharsets.UTF_8);
  }

  private static String word(@Nullable StoreFailure failure) {
    return failure == null ? "" : failure.why() + ":" + word(failure.message());
  }

  private static @Nullable String reason(String word) {
    return word.isEmpty() ? null : URLDecoder.decode(word, StandardCharsets.UTF_8);
  }

  private static @Nullable StoreFailure storeFailure(String word) {
    int colon = word.indexOf(':');
    return colon < 0
        ? null
        : new StoreFailure(
            WriteFailure.valueOf(word.substring(0, colon)),
            URLDecoder.decode(word.substring(colon + 1), StandardCharsets.UTF_8));
  }

  static byte[] of(PrimaryInfo primary) {
    return bytes(
        format(
            "%s %d %s %s",
            VERSION, primary.epoch(), primary.node().name(), primary.node().address()));
  }

  static byte[] of(PublishedSnapshot published) {
    LogPosition position = published.position();
    return bytes(
        format(
            "%s %d %d %s %08x",
            VERSION,
            position.timestamp(),
            published.epoch(),
            position.database(),
            position.checksum()));
  }

  static byte[] of(UUID id) {
    return bytes("%s %s".formatted(VERSION, id));
  }

  static byte[] of(HandOver request) {
    String text = format("%s %d %d %s", VERSION, request.change(), request.epoch(), request.to());
    return bytes(request.isWithdrawn() ? text + ' ' + request.reason() : text);
  }

  static byte[] of(Maintenance maintenance) {
    return bytes(
        format(
            "%s %d %s %s %s",
            VERSION,
            maintenance.change(),
            maintenance.isOn() ? "on" : "off",
            maintenance.since(),
            maintenance.reason()));
  }

  private static long number(String word) {
    return Long.parseLong(word);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static NodeInfo node(String path, byte[] data) throws CoordinationException {
    return read(path, data, 12, words -> new NodeInfo(words[1], words[2], codecs(words[5])));
  }

  static UUID id(String path, byte[] data) throws CoordinationException {
    return read(path, data, 2, words -> UUID.fromString(words[1]));
  }

  static NodeProgress progress(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        12,
        words ->
            new NodeProgress(
                number(words[3]),
                number(words[4]),
                number(words[6]),
                number(words[7]),
                number(words[8]),
                words[11],
                reason(words[9]),
                storeFailure(words[10])));
  }

  private static Set<String> codecs(String words) {
    return words.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(words.split(",")));
  }

  static PrimaryInfo primary(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        4,
        words -> new PrimaryInfo(new NodeInfo(words[2], words[3]), number(words[1])));
  }

  static PublishedSnapshot published(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        5,
        words ->
            new PublishedSnapshot(
                new LogPosition(
                    UUID.fromString(words[3]),
                    number(words[1]),
                    Integer.parseUnsignedInt(words[4], 16)),
                number(words[2])));
  }

  static HandOver handOver(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        4,
        words -> {
          String[] last = words[3].split(" ", 2); // Only a withdrawn request has a reason.
          String reason = last.length == 1 ? "" : last[1];
          return new HandOver(number(words[1]), number(words[2]), last[0], reason);
        });
  }

  static Maintenance maintenance(String path, byte[] data) throws CoordinationException {
    return read(
        path,
        data,
        5,
        words ->
            new Maintenance(
                number(words[1]), words[2].equals("on"), Instant.parse(words[3]), words[4]));
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
    throw new CoordinationException(unreadable(path, text));
  }

  private static String unreadable(String path, String text) {
    return "ZooKeeper's %s cannot be read: '%s'".formatted(path, Names.printable(text));
  }
}
