/* The probes in C: the compiled twin of the hot Python ones (probes.py, comparisons.py, noting.py), which are the reference.

   What is recorded is the same to the last bit. Operands that are not measured here (large integers, nested containers, Decimal)
   are handed to the Python twin's measure; rare probes are Python's altogether (compiled.py says which). No code of the subject is
   called but by compared(), which evaluates a comparison as the interpreter would.

   The limited API of Python 3.11, so that one file serves every later version. No global state: all of it belongs to a Core. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#define OPAQUE 1.0           /* distances.OPAQUE and its kin */
#define MISMATCH 65536.0
#define LARGEST 1.7976931348623157e308
#define ITEMS 16
#define EXACT (1LL << 52)    /* integers up to here, and their differences, are exact as doubles */
#define NEAREST_TEXT 0.5     /* no two texts that differ are nearer */
#define CHARACTERS 128       /* text_distances.CHARACTERS and its kin */
#define ALIGNMENTS 64
#define WHOLE 256            /* texts up to here are decoded as a whole */
#define NOTED 256            /* noting.NOTED and its kin */
#define NOTED_LENGTH 100
#define NEAR 256
#define PAUSING 0x2A0        /* CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR */

/* An attribute that is set or read through its descriptor's own function, without a look-up. */
typedef struct {
    PyObject *descriptor;
    descrgetfunc get;
    descrsetfunc set;
} Attribute;

enum { A_FUNCTION, A_CALLER, A_CODE, A_INSTRUCTION, A_LAYOUT, A_STATE, A_VIEW, F_BACK, F_LASTI, F_GLOBALS, G_OPEN, G_WANTED,
       ATTRIBUTES };
static const char *const OF_ACTIVATION[] = {"function", "caller", "code", "instruction", "layout", "state", "_view"};
static const char *const OF_FRAME[] = {"f_back", "f_lasti", "f_globals"};
static const char *const OF_GROUP[] = {"open", "wanted"};

enum { TO_EQUAL, TO_EQUAL_OR_LESS, BEYOND_EQUAL, TO_MEMBER, MEASURES };
static const char *const MEASURE_NAMES[] = {"to_equal", "to_equal_or_less", "beyond_equal", "to_member"};

enum { P_LT, P_LE, P_EQ, P_NE, P_IN, P_NOT_IN, P_STARTSWITH, P_ENDSWITH, P_VALUE, P_CHAIN, TWINS };
static const char *const TWIN_NAMES[] = {"lt", "le", "eq", "ne", "in_", "not_in", "startswith", "endswith", "value", "chain"};

/* What is known of a frame: its activation. A frame is known by its address; see probes.py on addresses that are used again. */
typedef struct {
    void *frame;
    PyObject *activation; /* kept alive by the list of activations or that of spares */
    PyObject *code;       /* that of the activation, likewise */
    int spare;            /* whether the activation is shared: then its code changes */
    unsigned long run;    /* older entries are none */
} Known;

typedef struct {
    PyObject_HEAD
    PyObject *zero, *opaque, *settled, *unset;
    PyObject *measures[MEASURES];
    PyObject *twins[TWINS];
    Attribute attributes[ATTRIBUTES];
    /* Values that comparisons wanted. */
    int noting, orders, answering;
    PyObject *latest, *latest_answers;
    PyObject *operations; /* infection_measures.OPERATIONS, in its order */
    /* Activations. */
    PyObject *kind;       /* RecordedActivation */
    PyObject *layouts;    /* by function; the caller's list, which grows */
    PyObject *templates;  /* by function, of those entered so far */
    PyObject *spares;     /* likewise */
    PyObject *activations, *resumptions;
    Py_ssize_t limit;
    Known *known;
    size_t mask, used;
    unsigned long run;
    void *floor;
    PyObject *floor_globals;
} Core;

/* -- numbers */

static inline int is_exactly(PyObject *object, PyTypeObject *kind) { return Py_TYPE(object) == kind; }
static inline int is_integral(PyObject *object) { return is_exactly(object, &PyLong_Type) || is_exactly(object, &PyBool_Type); }
static inline int is_number(PyObject *object) { return is_integral(object) || is_exactly(object, &PyFloat_Type); }
static inline int is_text(PyObject *object) { return is_exactly(object, &PyUnicode_Type) || is_exactly(object, &PyBytes_Type); }

static int is_builtin(PyObject *object)
{
    PyTypeObject *kind = Py_TYPE(object);
    return kind == &PyLong_Type || kind == &PyUnicode_Type || object == Py_None || kind == &PyFloat_Type || kind == &PyBool_Type ||
           kind == &PyBytes_Type || kind == &PyList_Type || kind == &PyTuple_Type || kind == &PyDict_Type || kind == &PySet_Type ||
           kind == &PyFrozenSet_Type || kind == &PyByteArray_Type || kind == &PyComplex_Type;
}

/* A small integer; 0 where it is a large one. */
static inline int small_integer(PyObject *object, long long *value)
{
    int overflow;
    *value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return !overflow && *value <= EXACT && *value >= -EXACT;
}

/* A distance: a number as Python would have it, an integer or a float; or that Python must tell. */
typedef struct {
    double value;
    int integral;
    int ask;
} Distance;

static inline Distance real(double value) { return (Distance){value, 0, 0}; }
static inline Distance ask(void) { return (Distance){0.0, 0, 1}; }

/* distances.gap, of numbers. */
static Distance gap(PyObject *left, PyObject *right)
{
    long long one, other;
    double first, second, distance;
    int left_integral = is_integral(left), right_integral = is_integral(right);
    if ((left_integral && !small_integer(left, &one)) || (right_integral && !small_integer(right, &other)))
        return ask();
    if (left_integral && right_integral) {
        distance = (double)(one - other);
        return (Distance){distance < 0 ? -distance : distance, 1, 0};
    }
    first = left_integral ? (double)one : PyFloat_AsDouble(left);
    second = right_integral ? (double)other : PyFloat_AsDouble(right);
    distance = first - second;
    if (distance < 0)
        distance = -distance;
    if (distance <= LARGEST)
        return real(distance != 0.0 || first == second ? distance : 1.0);
    if (distance != distance || first - first != 0.0 || second - second != 0.0)
        return real(Py_HUGE_VAL);
    return real(LARGEST);
}

/* -- texts: text_distances.py */

typedef struct {
    Py_ssize_t size; /* of the whole text */
    Py_ssize_t seen; /* of what is looked at */
    Py_UCS4 codes[WHOLE + 1];
} Text;

/* The first characters of text[start:end]. 0 where there was an error. */
static int read_text(PyObject *object, Py_ssize_t start, Py_ssize_t end, Text *text)
{
    Py_ssize_t size, index;
    if (is_exactly(object, &PyBytes_Type)) {
        char *data;
        if (PyBytes_AsStringAndSize(object, &data, &size) < 0)
            return 0;
        end = end < size ? end : size;
        start = start < end ? start : end;
        text->size = end - start;
        text->seen = text->size < CHARACTERS ? text->size : CHARACTERS;
        for (index = 0; index < text->seen; index++)
            text->codes[index] = (unsigned char)data[start + index];
        return 1;
    }
    size = PyUnicode_GetLength(object);
    if (size < 0)
        return 0;
    end = end < size ? end : size;
    start = start < end ? start : end;
    text->size = end - start;
    text->seen = text->size < CHARACTERS ? text->size : CHARACTERS;
    if (!text->seen)
        return 1;
    if (size <= WHOLE && !start)
        return PyUnicode_AsUCS4(object, text->codes, WHOLE + 1, 0) != NULL;
    object = PyUnicode_Substring(object, start, start + text->seen);
    if (!object)
        return 0;
    index = PyUnicode_AsUCS4(object, text->codes, WHOLE + 1, 0) != NULL;
    Py_DECREF(object);
    return (int)index;
}

static double mismatch(const Py_UCS4 *left, Py_ssize_t left_size, const Py_UCS4 *right, Py_ssize_t right_size)
{
    double distance = 0.0;
    Py_ssize_t index, size = left_size < right_size ? left_size : right_size;
    for (index = 0; index < size; index++) {
        if (left[index] != right[index]) {
            double difference = left[index] > right[index] ? (double)(left[index] - right[index]) : (double)(right[index] - left[index]);
            distance += difference / (difference + 1.0);
        }
    }
    return distance;
}

static double difference(const Text *left, const Text *right)
{
    Py_ssize_t shorter = left->seen < right->seen ? left->seen : right->seen, start = 0, end = 0;
    double distance;
    while (start < shorter && left->codes[start] == right->codes[start])
        start++;
    if (left->size <= CHARACTERS && right->size <= CHARACTERS)
        while (end < shorter - start && left->codes[left->seen - 1 - end] == right->codes[right->seen - 1 - end])
            end++;
    distance = (double)(left->size > right->size ? left->size - right->size : right->size - left->size) +
               mismatch(left->codes + start, left->seen - end - start, right->codes + start, right->seen - end - start);
    return distance != 0.0 ? distance : 1.0;
}

static double separation(const Text *left, const Text *right)
{
    Py_ssize_t index, shorter = left->seen < right->seen ? left->seen : right->seen;
    for (index = 0; index < shorter; index++)
        if (left->codes[index] != right->codes[index])
            return left->codes[index] > right->codes[index] ? (double)(left->codes[index] - right->codes[index])
                                                            : (double)(right->codes[index] - left->codes[index]);
    return (double)(left->size > right->size ? left->size - right->size : right->size - left->size);
}

static double containment(const Text *part, const Text *whole)
{
    Py_ssize_t places, at;
    double least = 0.0;
    if (part->size > whole->size)
        return difference(part, whole);
    places = whole->seen - part->seen + 1;
    places = places < ALIGNMENTS ? places : ALIGNMENTS;
    for (at = 0; at < places || !at; at++) {
        double distance = mismatch(part->codes, part->seen, whole->codes + at, whole->seen - at);
        if (!at || distance < least)
            least = distance;
    }
    return least != 0.0 ? least : 1.0;
}

/* -- distances.py. Each of these is only asked of operands for which a comparison had the other outcome; they never raise: where
   memory is short, Python is asked, which does. */

static Distance of_texts(PyObject *left, PyObject *right, double (*measure)(const Text *, const Text *))
{
    Text one, other;
    if (!read_text(left, 0, PY_SSIZE_T_MAX, &one) || !read_text(right, 0, PY_SSIZE_T_MAX, &other)) {
        PyErr_Clear();
        return ask();
    }
    return real(measure(&one, &other));
}

/* separation, as to_equal_or_less and beyond_equal have it */
static Distance ordered_distance(PyObject *left, PyObject *right, int beyond)
{
    Distance distance;
    if (is_number(left) && is_number(right))
        distance = gap(left, right);
    else if (is_text(left) && Py_TYPE(left) == Py_TYPE(right))
        distance = of_texts(left, right, separation);
    else if ((is_builtin(left) && !is_number(left)) || (is_builtin(right) && !is_number(right)))
        return real(OPAQUE);
    else
        return ask();
    if (distance.ask)
        return distance;
    if (beyond)
        return real(distance.value + 1.0);
    return distance.value > 0 ? distance : real(OPAQUE);
}

static Distance to_equal(PyObject *left, PyObject *right)
{
    Distance distance;
    if (left == right)
        return real(OPAQUE);
    if (is_number(left) && is_number(right)) {
        distance = gap(left, right);
        return distance.ask || distance.value != 0.0 ? distance : real(OPAQUE);
    }
    if (Py_TYPE(left) != Py_TYPE(right)) {
        int first = is_builtin(left), second = is_builtin(right);
        if (first && second)
            return real(MISMATCH);
        return (first && !is_number(left)) || (second && !is_number(right)) ? real(OPAQUE) : ask();
    }
    if (is_text(left)) {
        int equal = PyObject_RichCompareBool(left, right, Py_EQ);
        return equal ? real(OPAQUE) : of_texts(left, right, difference);
    }
    return ask();
}

static Distance to_affix(PyObject *text, PyObject *affix, int at_start)
{
    Py_ssize_t size, wanted;
    Text one, other;
    if (!is_text(text))
        return real(OPAQUE);
    if (Py_TYPE(affix) != Py_TYPE(text))
        return is_exactly(affix, &PyTuple_Type) ? ask() : real(OPAQUE);
    size = PyObject_Size(text);
    wanted = PyObject_Size(affix);
    /* text[-wanted:], but all of it where nothing is wanted */
    if (!read_text(text, at_start || !wanted || wanted > size ? 0 : size - wanted, at_start ? wanted : PY_SSIZE_T_MAX, &one) ||
        !read_text(affix, 0, PY_SSIZE_T_MAX, &other)) {
        PyErr_Clear();
        return ask();
    }
    return real(difference(&one, &other));
}

/* -- what a probe writes */

static inline double number_of(PyObject *number)
{
    double value = PyFloat_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return Py_HUGE_VAL; /* an integer that no float holds */
    }
    return value;
}

static inline int put(PyObject *state, Py_ssize_t index, PyObject *value) { return PyList_SetItem(state, index, Py_NewRef(value)); }

/* Where a probe records. */
typedef struct {
    PyObject *state;
    Py_ssize_t slot, other;
    double least; /* to the outcome not taken */
} Place;

static int place_at(PyObject *const *arguments, Place *place)
{
    place->state = arguments[0];
    place->slot = PyLong_AsSsize_t(arguments[1]);
    return place->slot == -1 && PyErr_Occurred() ? -1 : 0;
}

/* The outcome is noted; -1 for an error. */
static int take(Core *core, Place *place, int outcome)
{
    Py_ssize_t taken = place->slot + !outcome;
    PyObject *least;
    place->other = place->slot + outcome;
    if (PyList_GetItem(place->state, taken) != core->zero && put(place->state, taken, core->zero) < 0)
        return -1;
    least = PyList_GetItem(place->state, place->other);
    if (!least)
        return -1;
    place->least = number_of(least);
    if (place->least == 0.0)
        return put(place->state, place->slot + 2, core->settled);
    return 0;
}

static int store(Core *core, Place *place, Distance distance)
{
    PyObject *made;
    if (!(distance.value < place->least))
        return 0;
    if (distance.integral)
        made = PyLong_FromLongLong((long long)distance.value);
    else
        made = distance.value == OPAQUE ? Py_NewRef(core->opaque) : PyFloat_FromDouble(distance.value);
    return made ? PyList_SetItem(place->state, place->other, made) : -1;
}

/* Stores what Python measures; at the recursion limit of the subject the outcome alone counts. ``made`` is consumed. */
static int store_asked(Core *core, Place *place, PyObject *made, double otherwise)
{
    int nearer;
    if (!made) {
        if (!PyErr_ExceptionMatches(PyExc_RecursionError))
            return -1;
        PyErr_Clear();
        return store(core, place, real(otherwise));
    }
    nearer = PyObject_RichCompareBool(made, PyList_GetItem(place->state, place->other), Py_LT);
    if (nearer <= 0) {
        Py_DECREF(made);
        return nearer;
    }
    return PyList_SetItem(place->state, place->other, made);
}

static int store_measured(Core *core, Place *place, Distance distance, int measure, PyObject *left, PyObject *right)
{
    if (!distance.ask)
        return store(core, place, distance);
    return store_asked(core, place, PyObject_CallFunctionObjArgs(core->measures[measure], left, right, NULL), OPAQUE);
}

static inline PyObject *back(PyObject *result, int failed) { return failed < 0 ? NULL : Py_NewRef(result); }
static inline int is_outcome(PyObject *result) { return result == Py_True || result == Py_False; }

/* All arguments go to the Python twin's own probe. */
static PyObject *by_twin(Core *core, int twin, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *result, *packed = PyTuple_New(count);
    Py_ssize_t index;
    if (!packed)
        return NULL;
    for (index = 0; index < count; index++)
        PyTuple_SetItem(packed, index, Py_NewRef(arguments[index]));
    result = PyObject_CallObject(core->twins[twin], packed);
    Py_DECREF(packed);
    return result;
}

static int wrong_count(Py_ssize_t count, Py_ssize_t wanted)
{
    if (count >= wanted)
        return 0;
    PyErr_Format(PyExc_TypeError, "a probe of %zd arguments got %zd", wanted, count);
    return 1;
}
#define WANTS(wanted) \
    if (wrong_count(count, wanted)) \
        return NULL

/* -- noting: values that comparisons wanted */

static int note(PyObject *values, PyObject *one, PyObject *other)
{
    PyObject *key = PyTuple_Pack(2, one, other);
    int there;
    if (!key)
        return -1;
    there = PyDict_Contains(values, key);
    if (!there) {
        if (PyDict_Size(values) >= NOTED) {
            PyObject *oldest, *value;
            Py_ssize_t position = 0;
            if (PyDict_Next(values, &position, &oldest, &value)) {
                Py_INCREF(oldest);
                there = PyDict_DelItem(values, oldest);
                Py_DECREF(oldest);
            }
        }
        if (there >= 0)
            there = PyDict_SetItem(values, key, Py_None);
    }
    Py_DECREF(key);
    return there < 0 ? -1 : 0;
}

static int note_value(Core *core, PyObject *value)
{
    if (is_text(value)) {
        Py_ssize_t size = PyObject_Size(value);
        if (size <= 0 || size >= NOTED_LENGTH)
            return 0;
    } else if (!is_exactly(value, &PyLong_Type) && !is_exactly(value, &PyFloat_Type)) {
        return 0;
    }
    return note(core->latest, (PyObject *)Py_TYPE(value), value);
}

static int note_answer(Core *core, PyObject *given, PyObject *wanted)
{
    if (Py_TYPE(given) != Py_TYPE(wanted))
        return 0;
    if (is_text(given)) {
        Py_ssize_t one = PyObject_Size(given), other = PyObject_Size(wanted);
        if (one <= 0 || one >= NOTED_LENGTH || other <= 0 || other >= NOTED_LENGTH)
            return 0;
    } else if (!is_exactly(given, &PyLong_Type)) {
        return 0;
    }
    return note(core->latest_answers, given, wanted);
}

/* At most so many items of a container of exact built-in type, each with a reference; -1 for an error, -2 for something else. */
static Py_ssize_t first_items(PyObject *items, PyObject **found)
{
    Py_ssize_t count = 0, size, position = 0;
    if (is_exactly(items, &PyList_Type) || is_exactly(items, &PyTuple_Type)) {
        int is_list = is_exactly(items, &PyList_Type);
        size = is_list ? PyList_Size(items) : PyTuple_Size(items);
        for (; count < size && count < ITEMS; count++)
            found[count] = Py_NewRef(is_list ? PyList_GetItem(items, count) : PyTuple_GetItem(items, count));
        return count;
    }
    if (is_exactly(items, &PyDict_Type)) {
        PyObject *key, *value;
        while (count < ITEMS && PyDict_Next(items, &position, &key, &value))
            found[count++] = Py_NewRef(key);
        return count;
    }
    if (is_exactly(items, &PySet_Type) || is_exactly(items, &PyFrozenSet_Type)) {
        PyObject *each = PyObject_GetIter(items);
        if (!each)
            return -1;
        while (count < ITEMS && (found[count] = PyIter_Next(each)))
            count++;
        Py_DECREF(each);
        if (PyErr_Occurred()) {
            while (count)
                Py_DECREF(found[--count]);
            return -1;
        }
        return count;
    }
    return -2;
}

static void release(PyObject **found, Py_ssize_t count)
{
    while (count > 0)
        Py_DECREF(found[--count]);
}

/* -- conditions with nothing but an outcome */

static int flag_at(Core *core, PyObject *const *arguments, PyObject *result)
{
    Place place;
    if (!is_outcome(result))
        return 0;
    if (place_at(arguments, &place) < 0 || take(core, &place, result == Py_True) < 0)
        return -1;
    return place.least > OPAQUE ? put(place.state, place.other, core->opaque) : 0;
}

static PyObject *flag(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(3);
    return back(arguments[2], flag_at(core, arguments, arguments[2]));
}

static PyObject *exhausted(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(3);
    return back(arguments[2], flag_at(core, arguments, Py_False));
}

/* distances.to_false */
static Distance to_false(PyObject *operand)
{
    PyTypeObject *kind = Py_TYPE(operand);
    if (is_integral(operand)) {
        long long value;
        if (!small_integer(operand, &value))
            return ask();
        return (Distance){(double)(value < 0 ? -value : value), 1, 0};
    }
    if (kind == &PyFloat_Type) {
        double value = PyFloat_AsDouble(operand);
        value = value < 0 ? -value : value;
        return real(value <= LARGEST ? value : Py_HUGE_VAL);
    }
    if (is_text(operand) || kind == &PyList_Type || kind == &PyTuple_Type || kind == &PyDict_Type || kind == &PySet_Type ||
        kind == &PyFrozenSet_Type || kind == &PyByteArray_Type) {
        Py_ssize_t size = PyObject_Size(operand);
        return real(size ? (double)size : OPAQUE);
    }
    return real(OPAQUE);
}

static int truth_at(Core *core, PyObject *const *arguments, PyObject *result, PyObject *operand)
{
    Place place;
    Distance distance;
    if (!is_outcome(result))
        return 0;
    if (place_at(arguments, &place) < 0 || take(core, &place, result == Py_True) < 0)
        return -1;
    if (place.least == 0.0)
        return 0;
    if (result == Py_False || operand == Py_True)
        return store(core, &place, real(OPAQUE));
    distance = to_false(operand);
    if (distance.ask) { /* a large integer: gap(operand, 0) */
        double value = PyFloat_AsDouble(operand);
        if (value == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return store(core, &place, real(LARGEST));
        }
        return store_asked(core, &place, PyNumber_Absolute(operand), OPAQUE);
    }
    return store(core, &place, distance);
}

static PyObject *truth(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(4);
    return back(arguments[2], truth_at(core, arguments, arguments[2], arguments[3]));
}

static PyObject *value(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *operand;
    WANTS(3);
    operand = arguments[2];
    if (!is_builtin(operand))
        return by_twin(core, P_VALUE, arguments, 3);
    return back(operand, truth_at(core, arguments, PyObject_IsTrue(operand) ? Py_True : Py_False, operand));
}

/* distances.to_instance: half as far where the classes have a base in common besides object */
static Distance to_instance(PyObject *kind, PyObject *classes)
{
    PyObject *own = NULL, *wanted = NULL;
    Distance distance = real(OPAQUE);
    Py_ssize_t base, other;
    if (!is_exactly(kind, &PyType_Type) || !is_exactly(classes, &PyType_Type))
        return distance;
    own = PyObject_GetAttrString(kind, "__mro__");
    wanted = own ? PyObject_GetAttrString(classes, "__mro__") : NULL;
    if (wanted)
        for (base = 1; base < PyTuple_Size(wanted) - 1; base++)
            for (other = 0; other < PyTuple_Size(own); other++)
                if (PyTuple_GetItem(wanted, base) == PyTuple_GetItem(own, other))
                    distance = real(OPAQUE / 2);
    Py_XDECREF(own);
    Py_XDECREF(wanted);
    PyErr_Clear();
    return distance;
}

static PyObject *isinstance_(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    Place place;
    PyObject *result, *least;
    WANTS(5);
    result = arguments[2];
    if (result != Py_False)
        return back(result, flag_at(core, arguments, result));
    if (place_at(arguments, &place) < 0)
        return NULL;
    least = PyList_GetItem(place.state, place.slot);
    if (!least)
        return NULL;
    if (number_of(least) < OPAQUE)
        return back(result, flag_at(core, arguments, result));
    if (take(core, &place, 0) < 0)
        return NULL;
    return back(result, store(core, &place, to_instance((PyObject *)Py_TYPE(arguments[3]), arguments[4])));
}

/* -- conditions with operands */

static int ordered_at(Core *core, PyObject *const *arguments, PyObject *result, PyObject *left, PyObject *right, int inclusive)
{
    Place place;
    int outcome = result == Py_True, beyond = outcome == inclusive;
    if (!is_outcome(result))
        return 0;
    if (place_at(arguments, &place) < 0 || take(core, &place, outcome) < 0)
        return -1;
    if (place.least == 0.0)
        return 0;
    if (is_exactly(left, &PyLong_Type) && is_exactly(right, &PyLong_Type)) {
        long long one, other;
        if (small_integer(left, &one) && small_integer(right, &other)) {
            long long distance = outcome ? other - one : one - other;
            PyObject *made;
            if (!((double)distance < place.least))
                return 0;
            made = PyLong_FromLongLong(distance + beyond);
            if (!made || PyList_SetItem(place.state, place.other, made) < 0)
                return -1;
            if (distance > NEAR && core->orders && core->noting) {
                if ((one > NEAR || one < -NEAR) && note(core->latest, (PyObject *)&PyLong_Type, left) < 0)
                    return -1;
                if ((other > NEAR || other < -NEAR) && note(core->latest, (PyObject *)&PyLong_Type, right) < 0)
                    return -1;
            }
            return 0;
        }
        return 1; /* not measured here */
    }
    return store_measured(core, &place, ordered_distance(left, right, beyond), beyond ? BEYOND_EQUAL : TO_EQUAL_OR_LESS, left, right);
}

static PyObject *lt(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    int done;
    WANTS(6);
    done = ordered_at(core, arguments, arguments[2], arguments[3], arguments[4], 0);
    return done > 0 ? by_twin(core, P_LT, arguments, 6) : back(arguments[2], done);
}

static PyObject *le(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    int done;
    WANTS(6);
    done = ordered_at(core, arguments, arguments[2], arguments[3], arguments[4], 1);
    return done > 0 ? by_twin(core, P_LE, arguments, 6) : back(arguments[2], done);
}

/* ``wanted`` is the outcome that equality has: eq notes what it lacks where it is False, ne where it is True. */
static int equal_at(Core *core, PyObject *const *arguments, int unequal)
{
    PyObject *result = arguments[2], *given = arguments[3], *wanted = arguments[4];
    Place place;
    if (result != (unequal ? Py_True : Py_False))
        return flag_at(core, arguments, result);
    if (core->noting &&
        (note_value(core, wanted) < 0 || (core->answering && note_answer(core, given, wanted) < 0)))
        return -1;
    if (place_at(arguments, &place) < 0 || take(core, &place, unequal) < 0)
        return -1;
    if (place.least == 0.0 || (place.least <= NEAREST_TEXT && is_text(given) && Py_TYPE(given) == Py_TYPE(wanted)))
        return 0;
    return store_measured(core, &place, to_equal(given, wanted), TO_EQUAL, given, wanted);
}

static PyObject *eq(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return back(arguments[2], equal_at(core, arguments, 0));
}

static PyObject *ne(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return back(arguments[2], equal_at(core, arguments, 1));
}

static int note_items(Core *core, PyObject *items)
{
    PyObject *found[ITEMS];
    Py_ssize_t index, count = first_items(items, found);
    int failed = 0;
    if (count == -2)
        return note_value(core, items);
    for (index = 0; index < count && !failed; index++)
        failed = note_value(core, found[index]);
    release(found, count);
    return count < 0 ? -1 : failed;
}

/* distances.to_member, and what it asks of Python item by item */
static int store_member(Core *core, Place *place, PyObject *item, PyObject *items)
{
    PyObject *found[ITEMS];
    Py_ssize_t index, count;
    double nearest = MISMATCH;
    if (is_text(items)) {
        if (Py_TYPE(item) != Py_TYPE(items))
            return store(core, place, real(OPAQUE));
        if (place->least <= NEAREST_TEXT)
            return 0;
        return store_measured(core, place, of_texts(item, items, containment), TO_MEMBER, item, items);
    }
    count = first_items(items, found);
    if (count == -2) {
        if (is_exactly(items, &PyRange_Type))
            return store_measured(core, place, ask(), TO_MEMBER, item, items);
        return store(core, place, real(OPAQUE));
    }
    for (index = 0; index < count; index++) {
        Distance distance = to_equal(item, found[index]);
        if (distance.ask) { /* as a whole, by Python */
            release(found, count);
            return store_asked(core, place, PyObject_CallFunctionObjArgs(core->measures[TO_MEMBER], item, items, NULL), MISMATCH);
        }
        if (!index || distance.value < nearest)
            nearest = distance.value;
    }
    release(found, count);
    return count < 0 ? -1 : store(core, place, real(nearest));
}

static PyObject *member(Core *core, PyObject *const *arguments, int absent, int twin)
{
    PyObject *result = arguments[2], *item = arguments[3], *items = arguments[4];
    Place place;
    if (result != (absent ? Py_True : Py_False))
        return back(result, flag_at(core, arguments, result));
    if (core->noting) {
        if (core->answering)
            return by_twin(core, twin, arguments, 6);
        if (note_items(core, items) < 0 || note_value(core, item) < 0)
            return NULL;
    }
    if (place_at(arguments, &place) < 0 || take(core, &place, absent) < 0)
        return NULL;
    return back(result, place.least == 0.0 ? 0 : store_member(core, &place, item, items));
}

static PyObject *in_(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return member(core, arguments, 0, P_IN);
}

static PyObject *not_in(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return member(core, arguments, 1, P_NOT_IN);
}

static PyObject *affix(Core *core, PyObject *const *arguments, int at_start)
{
    PyObject *result = arguments[2], *text = arguments[3], *wanted = arguments[4];
    Place place;
    if (result != Py_False)
        return back(result, flag_at(core, arguments, result));
    if ((core->noting && core->answering) || is_exactly(wanted, &PyTuple_Type))
        return by_twin(core, at_start ? P_STARTSWITH : P_ENDSWITH, arguments, 6);
    if (core->noting && note_items(core, wanted) < 0)
        return NULL;
    if (place_at(arguments, &place) < 0 || take(core, &place, 0) < 0)
        return NULL;
    if (place.least == 0.0)
        return Py_NewRef(result);
    {
        Distance distance = to_affix(text, wanted, at_start);
        return distance.ask ? by_twin(core, at_start ? P_STARTSWITH : P_ENDSWITH, arguments, 6)
                            : back(result, store(core, &place, distance));
    }
}

static PyObject *startswith(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return affix(core, arguments, 1);
}

static PyObject *endswith(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    WANTS(6);
    return affix(core, arguments, 0);
}

/* interface.OPERATORS */
enum { LT, LE, GT, GE, EQ, NE, IS, IS_NOT, IN, NOT_IN };

/* comparisons._to_other */
static Distance to_other(long operator, int outcome, PyObject *left, PyObject *right)
{
    switch (operator) {
    case LT:
        return ordered_distance(left, right, !outcome);
    case GT:
        return ordered_distance(right, left, !outcome);
    case LE:
        return ordered_distance(left, right, outcome);
    case GE:
        return ordered_distance(right, left, outcome);
    case EQ:
        return outcome ? real(OPAQUE) : to_equal(left, right);
    case NE:
        return outcome ? to_equal(left, right) : real(OPAQUE);
    }
    return real(OPAQUE);
}

static PyObject *chain(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *operators, *result;
    Py_ssize_t reached, index, last;
    Distance distance = real(0.0);
    Place place;
    WANTS(7);
    operators = arguments[2];
    result = arguments[4];
    if (!is_outcome(result))
        return Py_NewRef(result);
    for (reached = 0; 5 + reached < count - 1 && arguments[5 + reached] != core->unset;)
        reached++;
    last = reached - 2;
    for (index = result == Py_True ? 0 : last; index <= last; index++) {
        long operator = PyLong_AsLong(PyTuple_GetItem(operators, index));
        Distance one = to_other(operator, result == Py_True, arguments[5 + index], arguments[6 + index]);
        if (one.ask)
            return by_twin(core, P_CHAIN, arguments, count);
        if (result == Py_False || !index || one.value < distance.value)
            distance = one;
    }
    if (result == Py_False)
        distance.value = distance.value + (double)PyTuple_Size(operators) - 1 - (double)last;
    if (place_at(arguments, &place) < 0 || take(core, &place, result == Py_True) < 0)
        return NULL;
    return back(result, place.least == 0.0 ? 0 : store(core, &place, distance));
}

/* A comparison in a comprehension, and its probe. */
static PyObject *compared(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    static const int RICH[] = {Py_LT, Py_LE, Py_GT, Py_GE, Py_EQ, Py_NE};
    long operator;
    int turned;
    PyObject *result, *recorded, *own[6];
    WANTS(5);
    operator = PyLong_AsLong(arguments[2]);
    if (operator <= NE && operator >= 0) {
        result = PyObject_RichCompare(arguments[3], arguments[4], RICH[operator]);
    } else {
        int contained = PySequence_Contains(arguments[4], arguments[3]);
        result = contained < 0 ? NULL : PyBool_FromLong(operator == IN ? contained : !contained);
    }
    if (!result)
        return NULL;
    turned = operator == GT || operator == GE;
    own[0] = arguments[0];
    own[1] = arguments[1];
    own[2] = result;
    own[3] = arguments[turned ? 4 : 3];
    own[4] = arguments[turned ? 3 : 4];
    own[5] = Py_None;
    recorded = operator == LT || operator == GT   ? lt(core, own, 6)
               : operator == LE || operator == GE ? le(core, own, 6)
               : operator == EQ                   ? eq(core, own, 6)
               : operator == NE                   ? ne(core, own, 6)
               : operator == IN                   ? in_(core, own, 6)
                                                  : not_in(core, own, 6);
    Py_DECREF(result);
    return recorded;
}

/* -- activations: probes._activating */

static Known *place_of(const Core *core, const void *frame)
{
    size_t at = ((size_t)frame >> 4) * 0x9E3779B97F4A7C15ULL >> 20 & core->mask;
    while (core->known[at].run == core->run && core->known[at].frame != frame)
        at = (at + 1) & core->mask;
    return &core->known[at];
}

static Known *known_of(const Core *core, const void *frame)
{
    Known *found = place_of(core, frame);
    return found->run == core->run ? found : NULL;
}

static int know(Core *core, void *frame, PyObject *activation, PyObject *code, int spare)
{
    Known *place;
    if (3 * (core->used + 1) > 2 * (core->mask + 1)) {
        Known *before = core->known;
        size_t index, size = core->mask + 1;
        Known *larger = PyMem_Calloc(2 * size, sizeof(Known));
        if (!larger) {
            PyErr_NoMemory();
            return -1;
        }
        core->known = larger;
        core->mask = 2 * size - 1;
        for (index = 0; index < size; index++)
            if (before[index].run == core->run)
                *place_of(core, before[index].frame) = before[index];
        PyMem_Free(before);
    }
    place = place_of(core, frame);
    core->used += place->run != core->run;
    *place = (Known){frame, activation, code, spare, core->run};
    return 0;
}

static inline PyObject *attribute(const Core *core, int which, PyObject *owner)
{
    const Attribute *known = &core->attributes[which];
    return known->get(known->descriptor, owner, (PyObject *)Py_TYPE(owner));
}

static inline int set_attribute(const Core *core, int which, PyObject *owner, PyObject *value)
{
    const Attribute *known = &core->attributes[which];
    return known->set(known->descriptor, owner, value);
}

/* Whether the code that the activation ran is the one that runs in the frame now. */
static int runs(const Core *core, const Known *known, PyObject *frame)
{
    PyObject *code = (PyObject *)PyFrame_GetCode((PyFrameObject *)frame), *own = known->code;
    int same;
    if (known->spare) {
        own = attribute(core, A_CODE, known->activation);
        Py_XDECREF(own); /* the activation has it */
    }
    same = code == own;
    Py_DECREF(code);
    return same;
}

/* A function entered for the first time: its layout and template are remembered. -1 for an error. */
static int meet(Core *core, Py_ssize_t number)
{
    while (PyList_Size(core->templates) <= number) {
        PyObject *layout = PyList_GetItem(core->layouts, PyList_Size(core->templates));
        PyObject *template = layout ? PyObject_GetAttrString(layout, "template") : NULL;
        int failed = !template || PyList_Append(core->templates, template) < 0 || PyList_Append(core->spares, Py_None) < 0;
        Py_XDECREF(template);
        if (failed)
            return -1;
    }
    return 0;
}

/* A new activation that records to ``state``, whose caller is ``caller``. */
static PyObject *activation_of(Core *core, PyObject *function, PyObject *layout, PyObject *code, PyObject *state, PyObject *caller)
{
    PyObject *made = PyType_GenericAlloc((PyTypeObject *)core->kind, 0);
    if (!made)
        return NULL;
    if (set_attribute(core, A_FUNCTION, made, function) < 0 || set_attribute(core, A_LAYOUT, made, layout) < 0 ||
        set_attribute(core, A_CODE, made, code) < 0 || set_attribute(core, A_STATE, made, state) < 0 || set_attribute(core, A_CALLER, made, caller) < 0 ||
        set_attribute(core, A_VIEW, made, Py_None) < 0)
        Py_CLEAR(made);
    return made;
}

static PyObject *begun(Core *core, PyObject *function, Py_ssize_t number, PyObject *code, PyObject **state)
{
    PyObject *template = PyList_GetItem(core->templates, number), *made;
    *state = PyList_GetSlice(template, 0, PyList_Size(template));
    if (!*state)
        return NULL;
    made = activation_of(core, function, PyList_GetItem(core->layouts, number), code, *state, Py_None);
    if (!made)
        Py_CLEAR(*state);
    return made;
}

/* The state of the activation that is shared by all calls of a function beyond the limit. */
static PyObject *spare(Core *core, PyObject *function, Py_ssize_t number, PyObject *frame)
{
    PyObject *found = PyList_GetItem(core->spares, number), *state;
    PyObject *code = (PyObject *)PyFrame_GetCode((PyFrameObject *)frame);
    if (found == Py_None) {
        PyObject *none = PyLong_FromLong(0);
        found = begun(core, function, number, code, &state);
        if (!none || !found || set_attribute(core, A_INSTRUCTION, found, none) < 0 || PyList_SetItem(core->spares, number, found) < 0)
            found = NULL;
        else
            Py_DECREF(state);
        Py_XDECREF(none);
    }
    if (!found || set_attribute(core, A_CODE, found, code) < 0 || know(core, frame, found, code, 1) < 0) {
        Py_DECREF(code);
        return NULL;
    }
    Py_DECREF(code);
    return attribute(core, A_STATE, found);
}

static int is_floor(const Core *core, PyObject *frame)
{
    PyObject *names;
    if (frame != core->floor)
        return 0;
    names = attribute(core, F_GLOBALS, frame);
    Py_XDECREF(names);
    return names == core->floor_globals;
}

/* The frame that called this one; NULL at the bottom. */
static inline PyObject *caller_of(const Core *core, PyObject *frame)
{
    PyObject *outer = attribute(core, F_BACK, frame);
    if (outer == Py_None)
        Py_CLEAR(outer);
    return outer;
}

static PyObject *enter(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame(), *activation, *state, *code, *outer;
    Py_ssize_t number;
    int failed;
    WANTS(1);
    number = PyLong_AsSsize_t(arguments[0]);
    if ((number == -1 && PyErr_Occurred()) || meet(core, number) < 0)
        return NULL;
    if (PyList_Size(core->activations) >= core->limit)
        return spare(core, arguments[0], number, frame);
    code = (PyObject *)PyFrame_GetCode((PyFrameObject *)frame);
    activation = begun(core, arguments[0], number, code, &state);
    Py_DECREF(code); /* the activation has it */
    if (!activation)
        return NULL;
    failed = PyList_Append(core->activations, activation) < 0 || know(core, frame, activation, code, 0) < 0;
    Py_DECREF(activation); /* the list has it */
    if (failed)
        goto error;
    if (PyList_Size(core->activations) == 1)
        return state; /* nobody can have called it */
    for (outer = caller_of(core, frame); outer;) {
        const Known *known = known_of(core, outer);
        PyObject *next;
        if (known && runs(core, known, outer)) {
            PyObject *instruction = attribute(core, F_LASTI, outer);
            failed = !instruction || set_attribute(core, A_INSTRUCTION, activation, instruction) < 0 ||
                     set_attribute(core, A_CALLER, activation, known->activation) < 0;
            Py_XDECREF(instruction);
            Py_DECREF(outer);
            if (failed)
                goto error;
            return state;
        }
        next = is_floor(core, outer) ? NULL : caller_of(core, outer);
        Py_DECREF(outer);
        outer = next;
    }
    return state;
error:
    Py_DECREF(state);
    return NULL;
}

static PyObject *current(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame();
    const Known *known = known_of(core, frame);
    Py_ssize_t number;
    WANTS(1);
    if (known && runs(core, known, frame))
        return attribute(core, A_STATE, known->activation);
    number = PyLong_AsSsize_t(arguments[0]);
    if ((number == -1 && PyErr_Occurred()) || meet(core, number) < 0)
        return NULL;
    return spare(core, arguments[0], number, frame);
}

static int pauses(PyObject *code)
{
    PyObject *flags = PyObject_GetAttrString(code, "co_flags");
    long value = flags ? PyLong_AsLong(flags) : 0;
    Py_XDECREF(flags);
    return (value & PAUSING) != 0;
}

/* Whether the activation has this caller, which stood there. */
static int has_caller(const Core *core, PyObject *activation, PyObject *caller, PyObject *instruction)
{
    PyObject *own = attribute(core, A_CALLER, activation), *standing;
    int same = own == caller;
    Py_XDECREF(own);
    if (!same || caller == Py_None)
        return same && PyLong_AsLong(instruction) == 0;
    standing = attribute(core, A_INSTRUCTION, activation);
    same = standing && PyLong_AsLong(standing) == PyLong_AsLong(instruction);
    Py_XDECREF(standing);
    return same;
}

/* The activation of a generator as it was resumed from there: that which is known, one from before, or a new one. Borrowed. */
static PyObject *resumption(Core *core, PyObject *known, PyObject *caller, PyObject *instruction)
{
    PyObject *before = NULL, *own = NULL, *state = NULL, *function = NULL, *layout = NULL, *code = NULL, *place = NULL, *found = NULL;
    PyObject *address = NULL;
    int failed = 1;
    if (has_caller(core, known, caller, instruction) || PyList_Size(core->activations) >= core->limit)
        return known;
    own = attribute(core, A_CALLER, known);
    before = !own ? NULL : own == Py_None ? PyLong_FromLong(0) : attribute(core, A_INSTRUCTION, known);
    state = attribute(core, A_STATE, known);
    address = PyLong_FromVoidPtr(state);
    place = before && address ? PyTuple_Pack(3, address, own, before) : NULL;
    if (!place || (!PyDict_GetItemWithError(core->resumptions, place) &&
                   (PyErr_Occurred() || PyDict_SetItem(core->resumptions, place, known) < 0)))
        goto done;
    Py_DECREF(place);
    place = PyTuple_Pack(3, address, caller, instruction);
    if (!place)
        goto done;
    found = PyDict_GetItemWithError(core->resumptions, place);
    if (found || PyErr_Occurred()) {
        failed = !found;
        goto done;
    }
    function = attribute(core, A_FUNCTION, known);
    layout = attribute(core, A_LAYOUT, known);
    code = attribute(core, A_CODE, known);
    found = function && layout && code ? activation_of(core, function, layout, code, state, caller) : NULL;
    if (!found)
        goto done;
    failed = set_attribute(core, A_INSTRUCTION, found, instruction) < 0 || PyDict_SetItem(core->resumptions, place, found) < 0 ||
             PyList_Append(core->activations, found) < 0;
    Py_DECREF(found); /* the list has it */
done:
    Py_XDECREF(before);
    Py_XDECREF(own);
    Py_XDECREF(state);
    Py_XDECREF(address);
    Py_XDECREF(function);
    Py_XDECREF(layout);
    Py_XDECREF(code);
    Py_XDECREF(place);
    return failed ? NULL : found;
}

typedef struct {
    void *frame;
    PyObject *activation;  /* borrowed */
    PyObject *instruction; /* owned */
    int pausing;
} Link;

/* What was resumed together, as by ``yield from``, down to an ordinary caller: each gets the caller that it has now. */
static int follow(Core *core, PyObject *frame)
{
    Link few[16], *links = few;
    Py_ssize_t count = 0, room = 16;
    PyObject *outer = Py_NewRef(frame), *caller = Py_None, *nothing = PyLong_FromLong(0), *instruction = nothing;
    int failed = !nothing;
    while (outer && !failed) {
        const Known *known = known_of(core, outer);
        PyObject *next;
        if (known && runs(core, known, outer)) {
            PyObject *code = (PyObject *)PyFrame_GetCode((PyFrameObject *)outer);
            Link link = {outer, known->activation, attribute(core, F_LASTI, outer), pauses(code)};
            Py_DECREF(code);
            if (count == room) {
                Link *more = PyMem_Malloc(2 * (size_t)room * sizeof(Link));
                if (more)
                    memcpy(more, links, (size_t)room * sizeof(Link));
                if (links != few)
                    PyMem_Free(links);
                if (!more) { /* the callers that were known stay */
                    Py_DECREF(outer);
                    Py_XDECREF(link.instruction);
                    Py_XDECREF(nothing);
                    return 0;
                }
                links = more;
                room *= 2;
            }
            links[count++] = link;
            failed = !link.instruction;
            if (!link.pausing)
                break;
        } else if (is_floor(core, outer)) {
            break;
        }
        next = caller_of(core, outer);
        Py_DECREF(outer);
        outer = next;
    }
    Py_XDECREF(outer);
    while (count) {
        Link *link = &links[--count];
        if (link->pausing && !failed) {
            PyObject *code, *now = resumption(core, link->activation, caller, instruction);
            failed = !now;
            if (now) {
                link->activation = now;
                code = attribute(core, A_CODE, now);
                Py_XDECREF(code); /* the activation has it */
                failed = know(core, link->frame, now, code, 0) < 0;
            }
        }
        caller = link->activation;
        if (instruction != nothing)
            Py_XDECREF(instruction);
        instruction = link->instruction;
    }
    if (instruction != nothing)
        Py_XDECREF(instruction);
    Py_XDECREF(nothing);
    if (links != few)
        PyMem_Free(links);
    return failed ? -1 : 0;
}

static PyObject *resumed(Core *core, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame(), *inner = Py_NewRef(frame);
    const Known *known = known_of(core, frame);
    WANTS(1);
    while (known) { /* mostly whoever resumed it before does so again */
        PyObject *instruction, *outer = caller_of(core, inner);
        const Known *caller = outer ? known_of(core, outer) : NULL;
        int same = 0;
        Py_DECREF(inner);
        inner = outer;
        if (!caller)
            break;
        instruction = attribute(core, F_LASTI, outer);
        same = instruction && has_caller(core, known->activation, caller->activation, instruction);
        Py_XDECREF(instruction);
        if (!same)
            break;
        if (!pauses(caller->code)) {
            Py_DECREF(inner);
            return Py_NewRef(arguments[0]);
        }
        known = caller;
    }
    Py_XDECREF(inner);
    return back(arguments[0], follow(core, frame));
}

/* A run begins: its stack lies above the function that calls the caller of this. */
static PyObject *begin(Core *core, PyObject *nothing)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame(), *floor, *before, *fresh = PyList_New(0);
    (void)nothing;
    if (!fresh)
        return NULL;
    floor = frame ? caller_of(core, frame) : NULL;
    core->floor = floor;
    before = core->floor_globals;
    core->floor_globals = floor ? attribute(core, F_GLOBALS, floor) : NULL;
    Py_XDECREF(before);
    Py_XDECREF(floor);
    before = core->activations;
    core->activations = fresh;
    core->run++;
    core->used = 0;
    Py_XDECREF(before);
    PyDict_Clear(core->resumptions);
    Py_RETURN_NONE;
}

static PyObject *activations(Core *core, PyObject *nothing)
{
    (void)nothing;
    return Py_NewRef(core->activations);
}

/* -- what Python tells a core */

static PyObject *noting(Core *core, PyObject *arguments)
{
    if (!PyArg_ParseTuple(arguments, "ppp", &core->noting, &core->orders, &core->answering))
        return NULL;
    Py_RETURN_NONE;
}

/* noting.Notes.keep: what a run wanted goes to what all runs did. */
static PyObject *keep(Core *core, PyObject *arguments)
{
    PyObject *latest, *values, *key, *value;
    Py_ssize_t position = 0;
    (void)core;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyDict_Type, &latest, &PyDict_Type, &values))
        return NULL;
    while (PyDict_Next(latest, &position, &key, &value))
        if (note(values, PyTuple_GetItem(key, 0), PyTuple_GetItem(key, 1)) < 0)
            return NULL;
    PyDict_Clear(latest);
    Py_RETURN_NONE;
}

static int attributes_of(Core *core, int first, PyObject *kind, const char *const *names, int count)
{
    int index;
    for (index = 0; index < count; index++) {
        Attribute *one = &core->attributes[first + index];
        one->descriptor = PyObject_GetAttrString(kind, names[index]);
        if (!one->descriptor)
            return -1;
        one->get = (descrgetfunc)PyType_GetSlot(Py_TYPE(one->descriptor), Py_tp_descr_get);
        one->set = (descrsetfunc)PyType_GetSlot(Py_TYPE(one->descriptor), Py_tp_descr_set);
        if (!one->get || !one->set) {
            PyErr_Format(PyExc_TypeError, "%s is no plain attribute", names[index]);
            return -1;
        }
    }
    return 0;
}

static int all_of(PyObject **found, PyObject *owner, const char *const *names, int count)
{
    int index;
    for (index = 0; index < count; index++)
        if (!(found[index] = PyObject_GetAttrString(owner, names[index])))
            return -1;
    return 0;
}

/* Core(twin, notes, (distances, activation class, group class, operations, unset), layouts, limit) */
static int core_init(Core *core, PyObject *arguments, PyObject *keywords)
{
    PyObject *twin, *notes, *distances, *kind, *group, *operations, *layouts, *unset, *frame = (PyObject *)PyEval_GetFrame();
    Py_ssize_t limit;
    (void)keywords;
    if (core->known) {
        PyErr_SetString(PyExc_TypeError, "a core is made once");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OO(OO!OO!O)O!n", &twin, &notes, &distances, &PyType_Type, &kind, &group, &PyTuple_Type,
                          &operations, &unset, &PyList_Type, &layouts, &limit))
        return -1;
    core->operations = Py_NewRef(operations);
    core->zero = PyFloat_FromDouble(0.0);
    core->opaque = PyFloat_FromDouble(OPAQUE);
    core->settled = PyLong_FromLong(1);
    core->unset = Py_NewRef(unset);
    core->kind = Py_NewRef(kind);
    core->layouts = Py_NewRef(layouts);
    core->limit = limit;
    core->templates = PyList_New(0);
    core->spares = PyList_New(0);
    core->activations = PyList_New(0);
    core->resumptions = PyDict_New();
    core->mask = 255;
    core->run = 1;
    core->known = PyMem_Calloc(core->mask + 1, sizeof(Known));
    if (!core->zero || !core->opaque || !core->settled || !core->templates || !core->spares || !core->activations ||
        !core->resumptions || !core->known)
        return -1;
    core->latest = PyObject_GetAttrString(notes, "latest");
    core->latest_answers = PyObject_GetAttrString(notes, "latest_answers");
    if (!core->latest || !core->latest_answers || !PyDict_Check(core->latest) || !PyDict_Check(core->latest_answers) || !frame)
        return -1;
    if (all_of(core->measures, distances, MEASURE_NAMES, MEASURES) < 0 || all_of(core->twins, twin, TWIN_NAMES, TWINS) < 0)
        return -1;
    if (attributes_of(core, A_FUNCTION, kind, OF_ACTIVATION, F_BACK) < 0)
        return -1;
    if (attributes_of(core, G_OPEN, group, OF_GROUP, ATTRIBUTES - G_OPEN) < 0)
        return -1;
    return attributes_of(core, F_BACK, (PyObject *)Py_TYPE(frame), OF_FRAME, G_OPEN - F_BACK);
}

static int core_traverse(Core *core, visitproc visit, void *arg)
{
    int index;
    Py_VISIT(Py_TYPE((PyObject *)core));
    for (index = 0; index < MEASURES; index++)
        Py_VISIT(core->measures[index]);
    for (index = 0; index < TWINS; index++)
        Py_VISIT(core->twins[index]);
    for (index = 0; index < ATTRIBUTES; index++)
        Py_VISIT(core->attributes[index].descriptor);
    Py_VISIT(core->unset);
    Py_VISIT(core->operations);
    Py_VISIT(core->latest);
    Py_VISIT(core->latest_answers);
    Py_VISIT(core->kind);
    Py_VISIT(core->layouts);
    Py_VISIT(core->templates);
    Py_VISIT(core->spares);
    Py_VISIT(core->activations);
    Py_VISIT(core->resumptions);
    Py_VISIT(core->floor_globals);
    return 0;
}

static int core_clear(Core *core)
{
    int index;
    for (index = 0; index < MEASURES; index++)
        Py_CLEAR(core->measures[index]);
    for (index = 0; index < TWINS; index++)
        Py_CLEAR(core->twins[index]);
    for (index = 0; index < ATTRIBUTES; index++)
        Py_CLEAR(core->attributes[index].descriptor);
    Py_CLEAR(core->unset);
    Py_CLEAR(core->operations);
    Py_CLEAR(core->latest);
    Py_CLEAR(core->latest_answers);
    Py_CLEAR(core->kind);
    Py_CLEAR(core->layouts);
    Py_CLEAR(core->templates);
    Py_CLEAR(core->spares);
    Py_CLEAR(core->activations);
    Py_CLEAR(core->resumptions);
    Py_CLEAR(core->floor_globals);
    return 0;
}

static void core_dealloc(Core *core)
{
    PyTypeObject *kind = Py_TYPE((PyObject *)core);
    freefunc release_memory = (freefunc)PyType_GetSlot(kind, Py_tp_free);
    PyObject_GC_UnTrack(core);
    core_clear(core);
    Py_CLEAR(core->zero);
    Py_CLEAR(core->opaque);
    Py_CLEAR(core->settled);
    PyMem_Free(core->known);
    release_memory(core);
    Py_DECREF(kind);
}

#define PROBE(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}
static PyMethodDef CORE_METHODS[] = {
    PROBE(enter),
    PROBE(current),
    PROBE(resumed),
    PROBE(lt),
    PROBE(le),
    PROBE(eq),
    PROBE(ne),
    PROBE(in_),
    PROBE(not_in),
    PROBE(isinstance_),
    PROBE(startswith),
    PROBE(endswith),
    PROBE(truth),
    PROBE(value),
    PROBE(flag),
    PROBE(exhausted),
    PROBE(chain),
    PROBE(compared),
    {"begin", (PyCFunction)(void (*)(void))begin, METH_NOARGS, NULL},
    {"activations", (PyCFunction)(void (*)(void))activations, METH_NOARGS, NULL},
    {"noting", (PyCFunction)(void (*)(void))noting, METH_VARARGS, NULL},
    {"keep", (PyCFunction)(void (*)(void))keep, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot CORE_SLOTS[] = {
    {Py_tp_init, core_init},       {Py_tp_traverse, core_traverse}, {Py_tp_clear, core_clear},
    {Py_tp_dealloc, core_dealloc}, {Py_tp_methods, CORE_METHODS},   {0, NULL},
};

static PyType_Spec CORE_SPEC = {"_probes.Core", sizeof(Core), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, CORE_SLOTS};

#include "_infections.c"

static int module_exec(PyObject *module)
{
    PyObject *core = PyType_FromModuleAndSpec(module, &CORE_SPEC, NULL), *site = PyType_FromModuleAndSpec(module, &SITE_SPEC, NULL);
    int failed =
        !core || !site || PyModule_AddObjectRef(module, "Core", core) < 0 || PyModule_AddObjectRef(module, "Site", site) < 0;
    Py_XDECREF(core);
    Py_XDECREF(site);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_probes", "The probes in C; see compiled.py.", 0, NULL, MODULE_SLOTS, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__probes(void) { return PyModuleDef_Init(&MODULE); }
