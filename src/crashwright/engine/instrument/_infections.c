/* The probes of mutation sites in C: the twin of infection_probes.py and infection_measures.py. A part of _probes.c. */

enum { S_LT, S_LE, S_GT, S_GE, S_EQ, S_NE, S_IS, S_IS_NOT, S_IN, S_NOT_IN, S_TRUE, S_FALSE, S_ADD, S_SUB, S_MUL, S_DIV, S_FLOOR,
       S_MOD, S_POW, S_AND, S_OR, S_XOR, S_LSHIFT, S_RSHIFT };
enum { RELATIONAL, ARITHMETIC, CONJUNCTION, DISJUNCTION, NEGATED, VARIABLE, EXECUTED, KINDS };
static const char *const KIND_NAMES[] = {"relational", "arithmetic", "and", "or", "negated", "variable", "executed"};
#define INFECTED (-1)
#define PLAIN_ITEMS 16

/* What a probe needs to know of one mutant. */
typedef struct {
    PyObject *number;  /* its key in the ledger */
    int symbol;        /* what the operator becomes; -1 where only Python knows */
    int by_sign[3];    /* see infection_measures.Relation */
    int ordered;       /* whether by_sign is there */
    Py_ssize_t place;  /* that of the other variable; below 0 for the minus sign */
} Mutant;

typedef struct {
    PyObject_HEAD
    Core *core;
    PyObject *twin, *original, *group, *least, *changed;
    int kind;
    Mutant *live;
    Py_ssize_t count;
} Site;

static long attribute_number(const Core *core, int which, PyObject *owner)
{
    PyObject *found = attribute(core, which, owner);
    long number = found ? PyLong_AsLong(found) : -1;
    Py_XDECREF(found);
    return number;
}

/* Closes so many mutants of the site's group in this run. */
static int close_mutants(Site *site, Py_ssize_t count)
{
    long open = attribute_number(site->core, G_OPEN, site->group);
    PyObject *left;
    int failed;
    if (open == -1 && PyErr_Occurred())
        return -1;
    if (open == attribute_number(site->core, G_WANTED, site->group) && PyList_Append(site->changed, site->group) < 0)
        return -1;
    left = PyLong_FromLong(open - (long)count);
    failed = !left || set_attribute(site->core, G_OPEN, site->group, left) < 0;
    Py_XDECREF(left);
    return failed ? -1 : 0;
}

/* The least distance so far; infinite where the mutant was not touched, -1 for an error. */
static inline double least_of(const Site *site, const Mutant *mutant)
{
    PyObject *found = PyDict_GetItemWithError(site->least, mutant->number);
    if (found)
        return number_of(found);
    return PyErr_Occurred() ? -1.0 : Py_HUGE_VAL;
}

static int infect(Site *site, const Mutant *mutant, Distance distance)
{
    PyObject *made;
    int failed;
    if (!(distance.value < least_of(site, mutant)))
        return PyErr_Occurred() ? -1 : 0;
    made = distance.integral         ? PyLong_FromLongLong((long long)distance.value)
           : distance.value == 0.0   ? Py_NewRef(site->core->zero)
           : distance.value == OPAQUE ? Py_NewRef(site->core->opaque)
                                      : PyFloat_FromDouble(distance.value);
    if (!made)
        return -1;
    failed = PyDict_SetItem(site->least, mutant->number, made) < 0;
    Py_DECREF(made);
    if (failed)
        return -1;
    return distance.value == 0.0 ? close_mutants(site, 1) : 0;
}

static int is_atom(PyObject *object) { return is_number(object) || is_text(object) || object == Py_None; }

/* infection_measures.is_plain; -1 for an error */
static int is_plain(PyObject *object)
{
    PyObject *found[ITEMS], *key, *item;
    Py_ssize_t position = 0, count;
    int plain = 1;
    if (is_atom(object))
        return 1;
    if (is_exactly(object, &PyDict_Type)) {
        if (PyDict_Size(object) > PLAIN_ITEMS)
            return 0;
        while (PyDict_Next(object, &position, &key, &item))
            if (!is_atom(key) || !is_atom(item))
                return 0;
        return 1;
    }
    if (!is_exactly(object, &PyList_Type) && !is_exactly(object, &PyTuple_Type) && !is_exactly(object, &PySet_Type) &&
        !is_exactly(object, &PyFrozenSet_Type))
        return 0;
    if (PyObject_Size(object) > PLAIN_ITEMS)
        return 0;
    count = first_items(object, found);
    if (count < 0)
        return -1;
    for (position = 0; position < count; position++)
        plain = plain && is_atom(found[position]);
    release(found, count);
    return plain;
}

/* infection_measures.differ; -1 for an error */
static int differ(PyObject *one, PyObject *other)
{
    PyTypeObject *kind = Py_TYPE(one);
    int plain;
    if (one == other)
        return 0;
    if (kind != Py_TYPE(other))
        return 1;
    if (kind == &PyFloat_Type) {
        double first = PyFloat_AsDouble(one), second = PyFloat_AsDouble(other);
        return first != second && !(first != first && second != second);
    }
    if (is_atom(one))
        return PyObject_RichCompareBool(one, other, Py_NE);
    if ((kind == &PyList_Type || kind == &PyTuple_Type || kind == &PyDict_Type || kind == &PySet_Type || kind == &PyFrozenSet_Type) &&
        PyObject_Size(one) != PyObject_Size(other))
        return 1;
    plain = is_plain(one);
    if (plain > 0)
        plain = is_plain(other);
    return plain > 0 ? PyObject_RichCompareBool(one, other, Py_NE) : plain;
}

/* infection_measures.signed_difference: 0, 1 or 2 for below, equal and above; -1 where there is none, -2 where only Python knows. */
static int signed_difference(PyObject *left, PyObject *right, Distance *size)
{
    if (is_number(left) && is_number(right)) {
        double first, second;
        *size = gap(left, right);
        if (size->ask)
            return -2;
        first = PyFloat_AsDouble(left);
        second = PyFloat_AsDouble(right);
        if (first == second) {
            if (!is_exactly(left, &PyLong_Type) || !is_exactly(right, &PyLong_Type))
                *size = real(0.0);
            return 1;
        }
        return first < second ? 0 : first > second ? 2 : -1;
    }
    if (is_text(left) && Py_TYPE(left) == Py_TYPE(right)) {
        if (PyObject_RichCompareBool(left, right, Py_EQ)) {
            *size = real(0.0);
            return 1;
        }
        *size = of_texts(left, right, difference);
        return size->ask ? -2 : PyObject_RichCompareBool(left, right, Py_GT) ? 2 : 0;
    }
    return -1;
}

/* Each of these: 0 when all is noted, 1 where the Python twin must do it, -1 for an error. */
static int relational(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *result = arguments[0], *left, *right;
    Distance size = real(0.0);
    int sign = -3; /* not asked yet */
    const Mutant *mutant;
    if (!is_outcome(result))
        return 0;
    if (count < 3)
        return 1;
    left = arguments[1];
    right = arguments[2];
    for (mutant = site->live; mutant < site->live + site->count; mutant++) {
        Distance distance = real(0.0);
        double least = least_of(site, mutant);
        if (least == 0.0)
            continue;
        if (least < 0)
            return -1;
        if (mutant->ordered && sign == -3)
            sign = signed_difference(left, right, &size);
        if (mutant->ordered && sign == -2)
            return 1;
        if (mutant->ordered && sign >= 0) {
            if (mutant->by_sign[sign] != INFECTED) {
                distance = size;
                distance.value = size.value + mutant->by_sign[sign];
            }
        } else if (mutant->symbol == S_TRUE || mutant->symbol == S_FALSE) {
            if ((result == Py_True) == (mutant->symbol == S_TRUE))
                distance = real(OPAQUE);
        } else if (mutant->symbol == S_IN || mutant->symbol == S_NOT_IN) {
            int plain = is_plain(left); /* the opposite of what came out, where nobody needs to be asked */
            if (plain > 0)
                plain = is_plain(right);
            if (plain < 0)
                return -1;
            if (!plain)
                distance = real(OPAQUE);
        } else if (mutant->symbol == S_IS || mutant->symbol == S_IS_NOT) {
            if (((left == right) == (mutant->symbol == S_IS)) == (result == Py_True))
                return 1; /* no opposite */
        } else {
            return 1;
        }
        if (infect(site, mutant, distance) < 0)
            return -1;
    }
    return 0;
}

static PyObject *calculated(int symbol, PyObject *left, PyObject *right)
{
    switch (symbol) {
    case S_ADD: return PyNumber_Add(left, right);
    case S_SUB: return PyNumber_Subtract(left, right);
    case S_MUL: return PyNumber_Multiply(left, right);
    case S_DIV: return PyNumber_TrueDivide(left, right);
    case S_FLOOR: return PyNumber_FloorDivide(left, right);
    case S_MOD: return PyNumber_Remainder(left, right);
    case S_POW: return PyNumber_Power(left, right, Py_None);
    case S_AND: return PyNumber_And(left, right);
    case S_OR: return PyNumber_Or(left, right);
    case S_XOR: return PyNumber_Xor(left, right);
    case S_LSHIFT: return PyNumber_Lshift(left, right);
    default: return PyNumber_Rshift(left, right);
    }
}

/* infection_measures.calculates_differently, of numbers that make no giants, and of two texts: 1, 0, -1 for an error, -2 for the
   twin. */
static int calculates_differently(int symbol, PyObject *left, PyObject *right, PyObject *result)
{
    PyObject *outcome;
    int differs;
    if (symbol < S_ADD)
        return -2;
    if (is_number(left) && is_number(right)) {
        long long one = 0, other = 0;
        if ((is_integral(left) && !small_integer(left, &one)) || (is_integral(right) && !small_integer(right, &other)))
            return -2;
        if ((symbol == S_POW || symbol == S_LSHIFT) && (one > 255 || one < -255 || other > 255 || other < -255))
            return -2;
        outcome = calculated(symbol, left, right);
        if (!outcome) {
            if (!PyErr_ExceptionMatches(PyExc_ValueError) && !PyErr_ExceptionMatches(PyExc_ArithmeticError) &&
                !PyErr_ExceptionMatches(PyExc_TypeError))
                return -1;
            PyErr_Clear();
            return 1;
        }
        differs = differ(outcome, result);
        Py_DECREF(outcome);
        return differs;
    }
    if (is_text(left) && Py_TYPE(left) == Py_TYPE(right) && symbol != S_ADD && symbol != S_MOD)
        return 1;
    return -2;
}

static int arithmetic(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    const Mutant *mutant;
    if (count < 3)
        return 1;
    for (mutant = site->live; mutant < site->live + site->count; mutant++) {
        double least = least_of(site, mutant);
        int differs;
        if (least == 0.0)
            continue;
        differs = least < 0 ? -1 : calculates_differently(mutant->symbol, arguments[1], arguments[2], arguments[0]);
        if (differs < 0)
            return differs == -2 ? 1 : -1;
        if (infect(site, mutant, real(differs ? 0.0 : OPAQUE)) < 0)
            return -1;
    }
    return 0;
}

/* An operand behind the first; or of a minus sign. */
static int decided(Site *site, PyObject *operand)
{
    const Mutant *mutant;
    int differs;
    if (site->kind == NEGATED) {
        int number = is_exactly(operand, &PyLong_Type) || is_exactly(operand, &PyFloat_Type) || is_exactly(operand, &PyComplex_Type);
        differs = number && PyObject_IsTrue(operand);
    } else {
        if (!is_builtin(operand))
            return 1;
        differs = PyObject_IsTrue(operand) == (site->kind == DISJUNCTION);
    }
    for (mutant = site->live; mutant < site->live + site->count; mutant++)
        if (infect(site, mutant, real(differs ? 0.0 : OPAQUE)) < 0)
            return -1;
    return 0;
}

static int minus_differs(PyObject *object)
{
    if (is_number(object) || is_exactly(object, &PyComplex_Type))
        return PyObject_IsTrue(object);
    return is_builtin(object);
}

static int variable(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    const Mutant *mutant;
    for (mutant = site->live; mutant < site->live + site->count; mutant++) {
        double least = least_of(site, mutant);
        int differs;
        if (least == 0.0)
            continue;
        if (least < 0 || mutant->place + 1 >= count)
            return least < 0 ? -1 : 1;
        differs = mutant->place < 0 ? minus_differs(arguments[0]) : differ(arguments[0], arguments[1 + mutant->place]);
        if (differs < 0 || infect(site, mutant, real(differs ? 0.0 : OPAQUE)) < 0)
            return -1;
    }
    return 0;
}

static int executed(Site *site)
{
    Py_ssize_t index;
    int there = site->count ? PyDict_Contains(site->least, site->live[0].number) : 1;
    if (there)
        return there < 0 ? -1 : 0;
    for (index = 0; index < site->count; index++)
        if (PyDict_SetItem(site->least, site->live[index].number, site->core->zero) < 0)
            return -1;
    return close_mutants(site, site->count);
}

static PyObject *site_plain(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *packed, *told;
    Py_ssize_t index;
    long open;
    int done = 0;
    WANTS(1);
    open = attribute_number(site->core, G_OPEN, site->group);
    if (!open)
        return Py_NewRef(arguments[0]);
    if (open == -1 && PyErr_Occurred())
        return NULL;
    switch (site->kind) {
    case RELATIONAL: done = relational(site, arguments, count); break;
    case ARITHMETIC: done = arithmetic(site, arguments, count); break;
    case VARIABLE: done = variable(site, arguments, count); break;
    case EXECUTED: done = executed(site); break;
    default: done = decided(site, arguments[0]);
    }
    if (done <= 0)
        return back(arguments[0], done);
    packed = PyTuple_New(count);
    if (!packed)
        return NULL; /* no memory */
    for (index = 0; index < count; index++)
        PyTuple_SetItem(packed, index, Py_NewRef(arguments[index]));
    told = PyObject_CallObject(site->twin, packed);
    Py_DECREF(packed);
    if (!told && PyErr_ExceptionMatches(PyExc_RecursionError)) {
        PyErr_Clear(); /* at the recursion limit of the subject: this evaluation stays unmeasured */
        return Py_NewRef(arguments[0]);
    }
    return told;
}

/* The operation is evaluated here, where there are no temporaries. */
static PyObject *site_evaluated(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *own[4], *told;
    WANTS(2);
    own[0] = PyObject_CallFunctionObjArgs(site->original, arguments[0], arguments[1], NULL);
    if (!own[0])
        return NULL;
    own[1] = arguments[0];
    own[2] = arguments[1];
    own[3] = Py_None;
    told = site_plain(site, own, 4);
    Py_DECREF(own[0]);
    return told;
}

/* compared(state, slot, operator, left, right) of the branch probes, and this one's. */
static PyObject *site_compared(Site *site, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *own[4], *told;
    WANTS(5);
    own[0] = compared(site->core, arguments, count);
    if (!own[0])
        return NULL;
    own[1] = arguments[3];
    own[2] = arguments[4];
    own[3] = Py_None;
    told = site_plain(site, own, 4);
    Py_DECREF(own[0]);
    return told;
}

static int symbol_of(const Core *core, PyObject *operation)
{
    Py_ssize_t index;
    for (index = 0; index < PyTuple_Size(core->operations); index++)
        if (PyTuple_GetItem(core->operations, index) == operation)
            return (int)index;
    return -1;
}

static void forget(Site *site)
{
    while (site->count > 0)
        Py_DECREF(site->live[--site->count].number);
    PyMem_Free(site->live);
    site->live = NULL;
}

static int read_mutant(const Site *site, PyObject *entry, Mutant *mutant)
{
    PyObject *second = PyTuple_Size(entry) > 1 ? PyTuple_GetItem(entry, 1) : NULL, *relation, *by_sign;
    *mutant = (Mutant){.number = PyTuple_GetItem(entry, 0), .symbol = -1};
    if (site->kind == ARITHMETIC)
        mutant->symbol = symbol_of(site->core, second);
    else if (site->kind == VARIABLE)
        mutant->place = PyLong_AsSsize_t(second);
    else if (site->kind == RELATIONAL) {
        relation = PyTuple_GetItem(entry, 2);
        mutant->symbol = relation ? symbol_of(site->core, PyTuple_GetItem(relation, 2)) : -1;
        by_sign = relation ? PyTuple_GetItem(relation, 3) : NULL;
        if (by_sign && by_sign != Py_None) {
            int sign;
            mutant->ordered = 1;
            for (sign = 0; sign < 3; sign++)
                mutant->by_sign[sign] = (int)PyLong_AsLong(PyTuple_GetItem(by_sign, sign));
        }
    }
    if (PyErr_Occurred())
        return -1;
    Py_INCREF(mutant->number);
    return 0;
}

/* From now on these mutants are measured. */
static PyObject *site_renewed(Site *site, PyObject *live)
{
    Py_ssize_t size;
    if (!PyList_Check(live)) {
        PyErr_SetString(PyExc_TypeError, "a list of mutants");
        return NULL;
    }
    forget(site);
    size = PyList_Size(live);
    site->live = PyMem_Calloc((size_t)size + 1, sizeof(Mutant));
    if (!site->live)
        return PyErr_NoMemory();
    for (; site->count < size; site->count++)
        if (read_mutant(site, PyList_GetItem(live, site->count), &site->live[site->count]) < 0)
            return NULL;
    Py_RETURN_NONE;
}

/* Site(core, kind, twin's plain, original operation or None, group, least, changed) */
static int site_init(Site *site, PyObject *arguments, PyObject *keywords)
{
    PyObject *core, *twin, *original, *group, *least, *changed;
    const char *kind;
    (void)keywords;
    if (site->core) {
        PyErr_SetString(PyExc_TypeError, "a site is made once");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OsOOOO!O!", &core, &kind, &twin, &original, &group, &PyDict_Type, &least, &PyList_Type, &changed))
        return -1;
    for (site->kind = 0; site->kind < KINDS && strcmp(kind, KIND_NAMES[site->kind]);)
        site->kind++;
    if (site->kind == KINDS) {
        PyErr_Format(PyExc_ValueError, "no kind of site: %s", kind);
        return -1;
    }
    site->core = (Core *)Py_NewRef(core);
    site->twin = Py_NewRef(twin);
    site->original = Py_NewRef(original);
    site->group = Py_NewRef(group);
    site->least = Py_NewRef(least);
    site->changed = Py_NewRef(changed);
    return 0;
}

static int site_traverse(Site *site, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)site));
    Py_VISIT((PyObject *)site->core);
    Py_VISIT(site->twin);
    Py_VISIT(site->original);
    Py_VISIT(site->group);
    Py_VISIT(site->least);
    Py_VISIT(site->changed);
    return 0;
}

static void site_dealloc(Site *site)
{
    PyTypeObject *kind = Py_TYPE((PyObject *)site);
    freefunc release_memory = (freefunc)PyType_GetSlot(kind, Py_tp_free);
    PyObject_GC_UnTrack(site);
    forget(site);
    Py_CLEAR(site->twin);
    Py_CLEAR(site->original);
    Py_CLEAR(site->group);
    Py_CLEAR(site->least);
    Py_CLEAR(site->changed);
    Py_XDECREF((PyObject *)site->core);
    release_memory(site);
    Py_DECREF(kind);
}

static int site_clear(Site *site)
{
    Py_CLEAR(site->twin);
    return 0;
}

static PyMethodDef SITE_METHODS[] = {
    {"plain", (PyCFunction)(void (*)(void))site_plain, METH_FASTCALL, NULL},
    {"evaluated", (PyCFunction)(void (*)(void))site_evaluated, METH_FASTCALL, NULL},
    {"compared", (PyCFunction)(void (*)(void))site_compared, METH_FASTCALL, NULL},
    {"renewed", (PyCFunction)(void (*)(void))site_renewed, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot SITE_SLOTS[] = {
    {Py_tp_init, site_init},       {Py_tp_traverse, site_traverse}, {Py_tp_clear, site_clear},
    {Py_tp_dealloc, site_dealloc}, {Py_tp_methods, SITE_METHODS},   {0, NULL},
};

static PyType_Spec SITE_SPEC = {"_probes.Site", sizeof(Site), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, SITE_SLOTS};
