package io.drayage.study.sikdar.form;

import java.util.List;

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

  /** New ones of each that keeps everything; they may be used by one thread. */
  public static List<PageFormat> all() {
    return List.of(
        new ObjectPages(new JavaCodec()),
        new ObjectPages(new BsonCodec(false)),
        new ObjectPages(new JsonCodec(false)),
        new ObjectPages(new ProtobufCodec()),
        new ObjectPages(new KryoCodec(false)),
        new ObjectPages(new KryoCodec(true)),
        new ObjectPages(new ByteBufferCodec(false)),
        inPlace(),
        raw(),
        columnar());
  }

  public static PageFormat inPlace() {
    return new InPlacePages();
  }

  public static PageFormat raw() {
    return new ColumnPages("raw");
  }

  public static PageFormat columnar() {
    return new ColumnPages("columnar");
  }

  /** A new one of this name. */
  public static PageFormat ofName(String name) {
    return all().stream().filter(format -> format.name().equals(name)).findFirst().orElseThrow();
  }
}
