package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;

/**
 * The classes of a cargo under numbers that never change: they are on the wire. A class that comes
 * by its name is refused before that is looked up.
 *
 * <p>The fields of these classes are written and read by serializers of our own, in the format of
 * Kryo's {@code FieldSerializer}: that one sets private final fields by reflection or {@code
 * Unsafe}, past the checks of the model, and newer JDKs stop it.
 */
final class KryoClasses extends DefaultClassResolver {
  static final int CHANGE_CARGO = 10;

  // Where Kryo's own serializers would be used, these would have numbers as well; kept for them:
  // 11 TableChanges[], 12 TableChanges, 13 InsertedColumn[], 14 InsertedColumn, 15 ColumnUpdates[],
  // 16 ColumnUpdates, 19 ColumnType, 20 to 27 the pages of each type.
  static final int COLUMN_VALUES = 17;
  static final int ROW_BITS = 18;

  /** Plus the number of the column's type: 28 is {@code boolean[][]}, 35 {@code String[][]}. */
  static final int PAGE_TABLES = 27;

  /** A cargo is nested three deep: cargo, column, bits. */
  private static final int MAX_DEPTH = 8;

  private KryoClasses() {}

  /** Creates a Kryo for one stream. */
  static Kryo newKryo(KryoAccount account) {
    Kryo kryo = new Kryo(new KryoClasses(), null);
    kryo.setRegistrationRequired(true);
    kryo.setMaxDepth(MAX_DEPTH);
    kryo.register(ChangeCargo.class, new KryoCargoSerializer(account), CHANGE_CARGO);
    kryo.register(ColumnValues.class, new KryoColumnSerializer(), COLUMN_VALUES);
    kryo.register(RowBits.class, new KryoBitsSerializer(account), ROW_BITS);
    for (ColumnType type : ColumnType.values()) {
      kryo.register(
          type.pageClass().arrayType(),
          new KryoPageTableSerializer(type, account),
          PAGE_TABLES + type.id());
    }
    return kryo;
  }

  @Override
  protected Registration readName(Input input) {
    throw KryoAccount.refusal("a class by its name");
  }
}
