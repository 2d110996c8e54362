package io.drayage.study.sikdar.form;

import java.util.List;
import java.util.stream.Stream;

/** What is compared. */
public final class Formats {
  private Formats() {}

  /** New ones of each that writes objects one by one, with those that follow the study's code. */
  public static List<ObjectCodec> codecs() {
    return List.of(
        new JavaCodec(),
        new BsonCodec(false),
        new BsonCodec(true),
        new JsonCodec(false),
        new JsonCodec(true),
        new ProtobufCodec(),
        new KryoCodec(false),
        new KryoCodec(true),
        new ByteBufferCodec(false),
        new ByteBufferCodec(true));
  }

  /** New ones of those whose objects need pages. */
  public static List<PageFormat> ofPages() {
    return List.of(new InPlacePages(), new ColumnPages("raw"), new ColumnPages("columnar"));
  }

  /** New ones of each that keeps everything; they may be used by one thread. */
  public static List<PageFormat> all() {
    Stream<ObjectCodec> codecs =
        Stream.of(
            new JavaCodec(),
            new BsonCodec(false),
            new JsonCodec(false),
            new ProtobufCodec(),
            new KryoCodec(false),
            new KryoCodec(true),
            new ByteBufferCodec(false));
    return Stream.concat(codecs.map(ObjectPages::new), ofPages().stream()).toList();
  }

  /** A new one of this name. */
  public static PageFormat ofName(String name) {
    return all().stream().filter(format -> format.name().equals(name)).findFirst().orElseThrow();
  }
}
